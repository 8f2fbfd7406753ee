import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Gate, type GateOptions, type Observation, type Permit, type Reading } from '../../src/gate/index.ts'
import { VirtualClock } from '../../src/testing/index.ts'
import { isMutated } from '../support/mutated.ts'
import { without } from '../support/without.ts'
import { examples } from '../support/examples.ts'

type Step =
  | { kind: 'wait'; ms: number }
  | { kind: 'send'; weight: number }
  | { kind: 'answer'; index: number; observation: Observation | undefined }
  | { kind: 'park'; ms: number }

interface Run {
  options: Omit<GateOptions, 'clock'>
  steps: Step[]
  weight: number
}

const ms = (max: number) => fc.integer({ min: 0, max })
const sometimes = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })

/** Leaves out what is undefined. */
function stated<T extends object>(fields: fc.Arbitrary<T>): fc.Arbitrary<never> {
  return fields.map((given) =>
    Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  ) as never
}

const anyReading: fc.Arbitrary<Reading> = stated(
  fc.record({
    name: fc.constantFrom(undefined, undefined, 'b'),
    limit: sometimes(fc.integer({ min: 1, max: 8 })),
    remaining: sometimes(fc.integer({ min: -2, max: 6 })),
    resetInMs: sometimes(ms(4_000)),
    resetStepMs: sometimes(fc.constant(1_000)),
  }),
)

const anyObservation: fc.Arbitrary<Observation> = stated(
  fc.record({
    limits: fc.array(anyReading, { maxLength: 2 }),
    throttled: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
    retryAfterMs: sometimes(ms(3_000)),
    scope: fc.constant('partition'),
  }),
)

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: ms(1_500) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('send' as const), weight: fc.integer({ min: 0, max: 3 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('answer' as const),
      index: fc.nat(20),
      observation: sometimes(anyObservation),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('park' as const), ms: ms(2_000) }) },
)

const anyLimit = stated(
  fc.record({
    limit: fc.integer({ min: 3, max: 6 }),
    windowMs: fc.integer({ min: 100, max: 3_000 }),
    kind: fc.constantFrom(undefined, 'fixed'),
    name: fc.constantFrom(undefined, 'b'),
  }),
)

const anyRun: fc.Arbitrary<Run> = fc.record({
  options: stated(
    fc.record({
      limits: fc.array(anyLimit, { maxLength: 2 }),
      concurrency: sometimes(fc.integer({ min: 1, max: 5 })),
      transitMs: fc.constantFrom(0, 500, Infinity),
      coldStartMs: fc.constantFrom(0, 700),
      pace: fc.constantFrom(undefined, 'even'),
      cooldown: fc.constant({ baseMs: 1_000, maxMs: 5_000, parkMs: 500 }),
    }),
  ),
  steps: fc.array(anyStep, { maxLength: 25, size: 'max' }),
  weight: fc.integer({ min: 0, max: 3 }),
})

/** What `explain` says after these steps with nobody waiting, and how long a caller waits whom all is answered before. */
async function play({ options, steps, weight }: Run, GateClass: typeof Gate) {
  const clock = new VirtualClock()
  const gate = new GateClass({ clock, ...options })
  const permits: Permit[] = []
  for (const step of steps) {
    if (step.kind === 'wait') await clock.advance(step.ms)
    else if (step.kind === 'park') gate.park(step.ms)
    else if (step.kind === 'send') {
      const permit = gate.tryAcquire({ weight: step.weight })
      if (permit) permits.push(permit)
    } else if (permits.length > 0) {
      const permit = permits.splice(step.index % permits.length, 1)[0]!
      permit.settle(step.observation)
      permit.release()
    }
  }
  const quiet = gate.snapshot().inFlight === 0
  const comesAt = clock.now()
  const { wouldWaitMs, boundBy } = gate.explain({ weight })
  for (const permit of permits) {
    permit.settle()
    permit.release()
  }
  const { sentAt } = await clock.runUntil(gate.acquire({ weight }))
  return { quiet, boundBy, wouldWaitMs, waitedMs: sentAt - comesAt }
}

function foretells(seen: Record<string, number> = {}, GateClass: typeof Gate = Gate) {
  return fc.asyncProperty(anyRun, async (run) => {
    const { quiet, boundBy, wouldWaitMs, waitedMs } = await play(run, GateClass)
    seen[boundBy] = (seen[boundBy] ?? 0) + 1
    expect(waitedMs).toBeLessThanOrEqual(Math.ceil(wouldWaitMs))
    const sooner = quiet && Math.ceil(waitedMs) < Math.ceil(wouldWaitMs)
    expect(sooner).toBe(false)
  })
}

test('with nothing queued a caller goes as explain says, at the latest, once all in flight is answered', async () => {
  const seen: Record<string, number> = {}
  await fc.assert(foretells(seen), { numRuns: examples(2_000) })
  for (const cause of ['limit', 'reading', 'concurrency', 'pace', 'park', 'probe', 'cold-start', 'nothing'])
    expect([cause, seen[cause]! > 5]).toEqual([cause, true])
})

describe.skipIf(isMutated)('the search finds', () => {
  const search = { numRuns: 2_000, seed: 1 }

  test.each([
    {
      name: 'projects further than what holds the caller',
      file: 'gatekeeper.ts',
      snippet: 'Math.min(at, block.at) - now',
      instead: 'at - now',
    },
    {
      name: 'takes all to come back at a reset',
      file: 'window-limit.ts',
      snippet: 'return Math.min(at, Math.max(reset.reopensAt, this.window.freeAt(excess, uncountedUntil)))',
      instead: 'return Math.min(at, reset.reopensAt)',
    },
  ])('a gate that $name', async (rule) => {
    const wrong = await without(rule)
    expect((await fc.check(foretells({}, wrong.Gate), search)).failed).toBe(true)
  })
})
