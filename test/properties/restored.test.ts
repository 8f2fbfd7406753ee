import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createHeadgate } from '../../src/index.ts'
import { createUpstream, VirtualClock } from '../../src/testing/index.ts'
import { otherProcess, stored } from '../support/other-process.ts'
import { examples } from '../support/examples.ts'

interface Run {
  limit: number
  windowMs: number
  kind: 'rolling' | 'fixed'
  transitMs: number
  seed: number
  /** When each call of the first process is made. */
  calls: number[]
  /** When it is saved and ends. What is in flight then arrives all the same. */
  savedAtMs: number
  /** How much later the next process begins. */
  gapMs: number
}

const runs: fc.Arbitrary<Run> = fc.record({
  limit: fc.integer({ min: 1, max: 6 }),
  windowMs: fc.integer({ min: 10, max: 400 }),
  kind: fc.constantFrom('rolling' as const, 'fixed' as const),
  transitMs: fc.integer({ min: 0, max: 60 }),
  seed: fc.nat(1_000),
  calls: fc.array(fc.integer({ min: 0, max: 600 }), { minLength: 1, maxLength: 14 }),
  savedAtMs: fc.integer({ min: 0, max: 700 }),
  gapMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 300 })),
})

const NEXT_CALLS = 8
const url = 'https://api.example/'

/** How many attempts of one process and of the next, which may go on from what the first one saved, the upstream refuses. */
async function refused(run: Run, goesOn: boolean): Promise<number> {
  const { limit, windowMs, kind, transitMs, seed, calls, savedAtMs, gapMs } = run
  const clock = new VirtualClock({ seed })
  const latency = { minMs: 0, maxMs: transitMs }
  const upstream = createUpstream({
    clock,
    seed,
    limits: { limit, windowMs, kind },
    latency: { upMs: latency, downMs: latency },
  })
  const pacing = { limits: { limit, windowMs, kind }, transitMs, coldStartMs: 0, retry: false as const }
  const first = createHeadgate({ clock, fetch: upstream.fetch, default: pacing })
  for (const atMs of calls) {
    clock.setTimer(() => void first.fetch(url).catch(() => {}), atMs, { keepAlive: true })
  }
  await clock.advance(savedAtMs)
  const saved = stored(first.save())
  void first.close()
  await clock.advance(gapMs)
  const next = createHeadgate({ clock: otherProcess(clock), fetch: upstream.fetch, default: pacing })
  if (goesOn) next.restore(saved)
  await clock.runUntil(Promise.all(Array.from({ length: NEXT_CALLS }, () => next.fetch(url))))
  return upstream.report().throttled
}

test(
  'a process that goes on from another does not send again what that one has spent',
  { timeout: 120_000 },
  async () => {
    const goesOn = fc.asyncProperty(runs, async (run) => (await refused(run, true)) === 0)
    await fc.assert(goesOn, { numRuns: examples(400) })
  },
)

test('one that does not go on from it is refused', { timeout: 120_000 }, async () => {
  const startsAnew = fc.asyncProperty(runs, async (run) => (await refused(run, false)) === 0)
  expect((await fc.check(startsAnew, { numRuns: 400 })).failed).toBe(true)
})
