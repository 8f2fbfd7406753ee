import { expect, test } from 'vitest'
import { AttemptCounters } from '../src/counters.ts'
import { createHeadgate } from '../src/index.ts'
import { createUpstream, VirtualClock } from '../src/testing/index.ts'

test('the snapshot counts attempts by authority, kind and outcome', async () => {
  const clock = new VirtualClock()
  const upstream = createUpstream({
    clock,
    faults: [
      { index: 0, status: 429, headers: { 'retry-after': '1' } },
      { index: 2, status: 500 },
    ],
  })
  const headgate = createHeadgate({ clock, fetch: upstream.fetch })
  await clock.runUntil(headgate.fetch('https://a.example/'))
  await clock.runUntil(headgate.fetch('https://a.example/'))
  const at = { host: 'a.example', port: 443 }
  expect(headgate.snapshot().attempts).toEqual([
    { ...at, kind: 'first', outcome: 'throttled', count: 1 },
    { ...at, kind: 'probe', outcome: 'ok', count: 1 },
    { ...at, kind: 'first', outcome: 'error', count: 1 },
    { ...at, kind: 'retry', outcome: 'ok', count: 1 },
  ])
})

test('lines are bounded: authorities beyond them are counted together', () => {
  const counters = new AttemptCounters()
  for (let port = 1; port <= 10_003; port += 1) {
    counters.count({ host: 'a.example', port }, { kind: 'first', outcome: 'ok' })
  }
  counters.count({ host: 'a.example', port: 1 }, { kind: 'first', outcome: 'ok' })
  const lines = counters.list()
  expect(lines).toHaveLength(10_001)
  expect(lines[0]?.count).toBe(2)
  expect(lines.at(-1)).toEqual({ host: '*', port: 0, kind: 'first', outcome: 'ok', count: 3 })
})
