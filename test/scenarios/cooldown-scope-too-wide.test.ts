import { expect, test } from 'vitest'
import type { UpstreamConfig } from '../../src/index.ts'
import type { Arrival } from '../../src/testing/index.ts'
import { between, setScene, throttled } from './support.ts'

// A 429 of one endpoint held up the whole host, whose other endpoints had done nothing.
test.each<[string, UpstreamConfig, number]>([
  ['the path', { partition: ({ url }) => url.pathname }, between(0, 150)],
  ['the host', {}, between(3_000, 3_400)],
])('dialogue-993: a park holds as far as its partition: %s', async (_, pacing, arrives) => {
  const { headgate, at, clock, upstream } = setScene(pacing, {
    faults: ({ request: { url } }: Arrival) => (url.endsWith('/a') ? throttled('3') : undefined),
  })
  void headgate.fetch('https://api.example/a', { headgate: { retry: false } })
  at(50, () => void headgate.fetch('https://api.example/b'))
  await clock.advance(10_000)
  expect(upstream.log.map(({ url, countedAtMs }) => [new URL(url).pathname, countedAtMs])).toEqual([
    ['/a', 0],
    ['/b', arrives],
  ])
})

// An endpoint that is always refused probed again and again, and what the others asked for was never sent.
test('dialogue-993: one whose probe failed lets the others try', async () => {
  const { headgate, at, clock, upstream } = setScene(
    {},
    { faults: ({ request: { url } }: Arrival) => (url.endsWith('/a') ? throttled('3') : undefined) },
  )
  void headgate.fetch('https://api.example/a')
  at(50, () => void headgate.fetch('https://api.example/b'))
  await clock.advance(10_000)
  expect(upstream.log.map(({ url, countedAtMs }) => [new URL(url).pathname, countedAtMs])).toEqual([
    ['/a', 0],
    ['/a', 3_000],
    ['/b', 6_000],
    ['/a', 6_000],
    ['/a', 9_000],
  ])
})
