import { describe, expect, test } from 'vitest'
import { needingServer, serverProgram } from '../../support/redis-server.ts'
import { useServer } from '../../support/use-server.ts'
import { PATIENCE_MS, peakOf, playInTime, type ProcessSettings } from './play.ts'

// Each service told a script on the store what time it was. Where their clocks differed time went backwards for one of them, and the
// budget that they shared was anybody's guess.

const limit = { limit: 10, windowMs: 1_000 }
const STRETCH_MS = 5_000

describe.skipIf(serverProgram === undefined)(needingServer('two processes whose clocks are 5 s apart'), () => {
  const used = useServer()

  test('sourcegraph-56826: keep to one limit and get equal parts of it', { timeout: PATIENCE_MS }, async ({ skip }) => {
    const settings: ProcessSettings = {
      calls: [{ atMs: 0, count: 100 }],
      config: { default: { limits: limit } },
      shared: { port: used.server.port },
    }
    const { arrivals, outcomes, doneMs } = await playInTime(
      { upstream: {}, processes: [settings, { ...settings, clockAheadMs: 5_000 }] },
      { limit, doneByMs: 22_000, skip },
    )
    expect(outcomes.flat()).toEqual(Array(200).fill(200))
    expect(peakOf(arrivals, limit)).toBeLessThanOrEqual(10)
    expect(doneMs).toBeGreaterThanOrEqual(19_000)
    expect(doneMs).toBeLessThanOrEqual(22_000)
    expect(Math.min(...parts(arrivals))).toBeGreaterThanOrEqual(0.4)
  })
})

/** The smaller part that a process had of each stretch in which both had calls to make. */
function parts(arrivals: readonly { atMs: number; process: number }[]): number[] {
  const lastOf = (index: number) => arrivals.findLast(({ process }) => process === index)?.atMs ?? 0
  const until = Math.min(lastOf(0), lastOf(1))
  const begins = arrivals.map(({ atMs }) => atMs).filter((atMs) => atMs + STRETCH_MS <= until)
  return begins.map((from) => {
    const stretch = arrivals.filter(({ atMs }) => atMs >= from && atMs < from + STRETCH_MS)
    const first = stretch.filter(({ process }) => process === 0).length / stretch.length
    return Math.min(first, 1 - first)
  })
}
