import { expect, test } from 'vitest'
import { firstly, setUp, url } from './fetch/support.ts'

const globally = (retryAfter: string) => ({
  status: 429,
  headers: { 'retry-after': retryAfter, 'x-ratelimit-global': 'true' },
})

const of = (partition: string) => ({ headgate: { partition } })

test('every partition of the authority is parked, and those that come later; the one that was told probes first', async () => {
  const { headgate, upstream, run, at } = setUp({}, firstly(globally('30')))
  headgate.gate(url, 'idle')
  const told = headgate.fetch(`${url}#told`, of('told'))
  at(1_000, () => void headgate.fetch(`${url}#known`, of('idle')))
  at(2_000, () => void headgate.fetch(`${url}#new`, of('new')))
  await run(told)
  await run(Promise.all([headgate.fetch(url, of('idle')), headgate.fetch(url, of('new'))]))
  const others = upstream.log.slice(2).map(({ sentAtMs }) => sentAtMs)
  expect(upstream.log.slice(0, 2).map(({ sentAtMs }) => sentAtMs)).toEqual([0, 30_000])
  expect(others).toEqual([31_000, 31_000, 31_000, 31_000])
})

test('a limit that still stands meets one attempt, not one for each partition', async () => {
  const { headgate, run, sentAt } = setUp({}, firstly(globally('30'), globally('10')))
  const partitions = Array.from({ length: 20 }, (_, index) => `p${index}`)
  for (const partition of partitions) headgate.gate(url, partition)
  const [first, ...rest] = partitions
  const told = headgate.fetch(url, of(first!))
  await run(Promise.resolve())
  await run(Promise.all([told, ...rest.map((partition) => headgate.fetch(url, of(partition)))]))
  expect(sentAt().slice(0, 4)).toEqual([0, 30_000, 40_000, 41_000])
})

test('another authority is not touched, nor one whose 429 is its own', async () => {
  const { headgate, run, clock } = setUp({ retry: false }, firstly(globally('30'), { status: 429 }))
  await run(headgate.fetch(url))
  await run(headgate.fetch('https://other.example/'))
  await run(headgate.fetch('https://third.example/'))
  expect(clock.now()).toBe(0)
  expect(headgate.explain('https://other.example/', { partition: 'x' })).toMatchObject({ boundBy: 'nothing' })
})

test('is over for gates that are made after it', async () => {
  const { headgate, run, clock } = setUp({ retry: false }, firstly(globally('30')))
  await run(headgate.fetch(url))
  await clock.advance(31_000)
  expect(headgate.explain(url, { partition: 'new' })).toMatchObject({ boundBy: 'nothing', wouldWaitMs: 0 })
})

test('is not shortened by a later word', async () => {
  const { headgate, run } = setUp({ retry: false }, firstly(globally('30'), globally('1')))
  await run(Promise.all([headgate.fetch(url, of('a')), headgate.fetch(url, of('b'))]))
  expect(headgate.explain(url, { partition: 'c' })).toMatchObject({ boundBy: 'park', wouldWaitMs: 31_000 })
})

test('lasts as long as its own word says, not as long as the park of the gate that was told', async () => {
  const own = { status: 429, headers: { 'retry-after': '300' } }
  const { headgate, run } = setUp({ retry: false }, firstly(own, globally('1')))
  await run(Promise.all([headgate.fetch(url, of('a')), headgate.fetch(url, of('a'))]))
  expect(headgate.explain(url, { partition: 'b' })).toMatchObject({ boundBy: 'park', wouldWaitMs: 2_000 })
})

test('is one of every authority that a partition has been used for', async () => {
  const faults = ({ request }: { request: { url: string } }) =>
    request.url.includes('b.example/global') ? globally('30') : undefined
  const api = {
    authorities: ['a.example', 'b.example'],
    partition: () => 'shared',
    coldStartMs: 0,
    retry: false as const,
  }
  const { headgate, run } = setUp({}, { faults }, { upstreams: { api } })
  await run(headgate.fetch('https://a.example/'))
  await run(headgate.fetch('https://b.example/global', of('other')))
  expect(headgate.explain('https://a.example/')).toMatchObject({ boundBy: 'nothing' })
  await run(headgate.fetch('https://b.example/', of('third')))
  expect(headgate.snapshot().attempts).toMatchObject([
    { host: 'a.example', outcome: 'ok' },
    { host: 'b.example', outcome: 'throttled' },
    { host: 'b.example', kind: 'probe' },
  ])
})

test('reaches a partition that was first used for another authority', async () => {
  const faults = ({ request }: { request: { url: string } }) =>
    request.url.includes('/global') ? globally('30') : undefined
  const api = {
    authorities: ['a.example', 'b.example'],
    partition: () => 'spans',
    coldStartMs: 0,
    retry: false as const,
  }
  const { headgate, run } = setUp({}, { faults }, { upstreams: { api } })
  await run(headgate.fetch('https://a.example/'))
  await run(headgate.fetch('https://b.example/'))
  await run(headgate.fetch('https://b.example/global', of('other')))
  expect(headgate.explain('https://a.example/')).toMatchObject({ boundBy: 'park' })
})
