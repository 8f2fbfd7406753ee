import { describe, expect, test } from 'vitest'
import { authorityOf, formatAuthority } from '../src/authority.ts'
import { parseConfig, type UpstreamConfig } from '../src/index.ts'
import { Upstreams } from '../src/upstreams.ts'

function matcher(upstreams: Record<string, UpstreamConfig>, fallback: UpstreamConfig | false = {}) {
  const matching = new Upstreams(parseConfig({ upstreams, default: fallback }))
  return (url: string) => matching.match(authorityOf(new URL(url)))
}

describe('authorityOf', () => {
  test.each([
    ['http://api.example', 'api.example:80'],
    ['https://api.example/v1?q', 'api.example:443'],
    ['https://api.example:80/', 'api.example:80'],
    ['HTTPS://API.Example:8443/', 'api.example:8443'],
    ['https://user:secret@api.example/', 'api.example:443'],
    ['http://127.0.0.1:9/', '127.0.0.1:9'],
    ['http://[::1]/', '[::1]:80'],
    ['https://[2001:DB8:0:0::1]:8443/', '[2001:db8::1]:8443'],
    ['https://bücher.example/', 'xn--bcher-kva.example:443'],
  ])('%s is %s', (url, expected) => expect(formatAuthority(authorityOf(new URL(url)))).toBe(expected))
})

describe('the most specific name wins', () => {
  const match = matcher({
    '*.example.com': {},
    '*.eu.example.com': {},
    'api.example.com': {},
    'api.example.com:8443': {},
    'API.Upper.Example': {},
    'plain.example:443': {},
    'bücher.example': {},
    '*.bücher.example': {},
    '[2001:DB8:0::1]': {},
    '[::1]:8080': {},
    '127.0.0.1': {},
    localhost: {},
    several: { authorities: ['one.example', 'TWO.example:8080', '*.three.example'] },
  })

  test.each([
    ['https://api.example.com:8443/', 'api.example.com:8443'],
    ['https://api.example.com/', 'api.example.com'],
    ['http://api.example.com:9/', 'api.example.com'],
    ['https://other.example.com/', '*.example.com'],
    ['https://a.b.example.com/', '*.example.com'],
    ['https://a.eu.example.com/', '*.eu.example.com'],
    ['https://eu.example.com/', '*.example.com'],
    ['https://example.com/', 'default'],
    ['https://notexample.com/', 'default'],
    ['https://api.upper.example/', 'API.Upper.Example'],
    ['https://plain.example/', 'plain.example:443'],
    ['http://plain.example/', 'default'],
    ['https://bücher.example/', 'bücher.example'],
    ['https://a.bücher.example/', '*.bücher.example'],
    ['http://[2001:db8::1]:9/', '[2001:DB8:0::1]'],
    ['http://[::1]:8080/', '[::1]:8080'],
    ['http://[::1]/', 'default'],
    ['http://127.0.0.1:5000/', '127.0.0.1'],
    ['http://localhost:3000/', 'localhost'],
    ['https://one.example/', 'several'],
    ['https://two.example:8080/', 'several'],
    ['https://two.example/', 'default'],
    ['https://x.three.example/', 'several'],
    ['https://several/', 'default'],
  ])('%s is %s', (url, name) => expect(match(url)?.name).toBe(name))

  test('in whatever order they are given', () => {
    const reversed = matcher({ 'api.example.com': {}, '*.eu.example.com': {}, '*.example.com': {} })
    expect(reversed('https://a.eu.example.com/')?.name).toBe('*.eu.example.com')
  })
})

describe('what nothing names', () => {
  test('is the default’s, whose partitions never span authorities', () => {
    expect(matcher({}, { concurrency: 3 })('https://api.example/')).toEqual({
      name: 'default',
      config: { concurrency: 3 },
      shared: false,
    })
  })

  test('passes through where that is false', () => {
    const match = matcher({ 'api.example': {} }, false)
    expect(match('https://other.example/')).toBeUndefined()
    expect(match('https://api.example/')).toMatchObject({ name: 'api.example', shared: true })
  })
})
