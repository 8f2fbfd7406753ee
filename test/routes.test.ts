import { expect, test } from 'vitest'
import { parseConfig } from '../src/index.ts'
import { routesOf } from '../src/routes.ts'

const routeOf = routesOf(parseConfig({ upstreams: { 'api.example': {} }, default: false }))

test.each<[origin: string, label: string | undefined]>([
  ['https://api.example', 'api.example:443'],
  ['https://api.example/', 'api.example:443'],
  ['HTTP://API.example:8080', 'api.example:8080'],
  ['https://other.example', undefined],
  ['ftp://api.example', undefined],
  ['nonsense', undefined],
  ['', undefined],
])('requests to %j are paced as %s', (origin, label) => expect(routeOf(origin)?.label).toBe(label))

test('the route of an origin is found out once', () => {
  expect(routeOf('https://api.example')).toBe(routeOf('https://api.example'))
})

test('a shared upstream has one gate for all its authorities, the default one for each', () => {
  const key = (config: Parameters<typeof parseConfig>[0], origin: string): string | undefined =>
    routesOf(parseConfig(config))(origin)?.keyOf('account', '')
  const shared = { upstreams: { api: { authorities: ['a.example', 'b.example'] } } }
  expect(key(shared, 'https://a.example')).toBe(key(shared, 'https://b.example'))
  expect(key({}, 'https://a.example')).not.toBe(key({}, 'https://b.example'))
})
