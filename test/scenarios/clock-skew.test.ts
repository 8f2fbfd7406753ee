import { expect, test } from 'vitest'
import type { UpstreamConfig } from '../../src/index.ts'
import { resetAfter, between, setScene } from './support.ts'

const HOURS_MS = 36_000_000
const learned: UpstreamConfig = { limits: [] }
const fixed: UpstreamConfig = { limits: { limit: 60, windowMs: 5_000, kind: 'fixed' } }

// A reset told as an instant was read against the client's own clock, which was hours off: the client locked up for as long, or ran
// through the limit.
test.each([
  ['behind', learned, HOURS_MS, 0],
  ['ahead', learned, -HOURS_MS, 0],
  ['behind, fixed window', fixed, HOURS_MS, 0],
  ['ahead, fixed window', fixed, -HOURS_MS, 0],
  ['set back meanwhile', learned, 0, -HOURS_MS],
  ['set forward meanwhile, fixed window', fixed, 0, HOURS_MS],
])('hub4j-595: a reset is waited for by the clock of the upstream (%s)', async (_, pacing, wallSkewMs, jumpMs) => {
  const { arrivals, callsAt, run, at, clock } = setScene(pacing, {
    limits: { limit: 60, windowMs: 3_000 },
    headers: resetAfter(3),
    wallSkewMs,
  })
  at(10, () => clock.jumpWall(jumpMs))
  await run(callsAt(0, 50))
  expect(arrivals()).toEqual([0, between(3_000, 4_200)])
})
