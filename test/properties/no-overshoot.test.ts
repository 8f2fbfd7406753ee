import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Gate } from '../../src/gate/index.ts'
import { ScriptClock } from '../support/script.ts'
import { isMutated } from '../support/mutated.ts'
import { without } from '../support/without.ts'
import { examples } from '../support/examples.ts'

/** How an attempt ends. `leaveMs` is from its sending, `waitMs` from when it was asked for. */
type Fate =
  | { kind: 'answered'; downMs: number; holdMs: number }
  /** Headers arrive, and the permit is never released. */
  | { kind: 'answered, then lost'; downMs: number }
  /** The caller gives up after it was sent: before, while or after the server counts it. */
  | { kind: 'aborted'; leaveMs: number }
  /** It certainly never reaches the server. */
  | { kind: 'refunded'; leaveMs: number }
  /** Nothing is ever heard of it. */
  | { kind: 'lost' }

interface Call {
  /** After the call before it. */
  gapMs: number
  weight: number
  priority: number
  /** The caller gives up if it still waits then. */
  waitMs: number
  /** From sending until the server counts it, as a part of the longest it takes. */
  up: number
  fate: Fate
}

interface Run {
  limits: { limit: number; windowMs: number }[]
  /** How long a request takes to be counted, at most, by the server and by what the gate is told. */
  transitMs: number
  toldTransitMs: number
  maxHoldMs: number
  concurrency: number
  calls: Call[]
}

const ms = (max: number) => fc.integer({ min: 0, max })

const answered = fc.oneof(
  fc.record({ kind: fc.constant('answered' as const), downMs: ms(300), holdMs: ms(100) }),
  fc.record({ kind: fc.constant('answered, then lost' as const), downMs: ms(300) }),
)
const unanswered = fc.oneof(
  fc.record({ kind: fc.constant('aborted' as const), leaveMs: ms(60) }),
  fc.record({ kind: fc.constant('lost' as const) }),
)
const refunded = fc.record({ kind: fc.constant('refunded' as const), leaveMs: ms(100) })

function callOf(fate: fc.Arbitrary<Fate>): fc.Arbitrary<Call> {
  return fc.record({
    gapMs: fc.oneof(fc.constant(0), ms(60)),
    weight: fc.integer({ min: 1, max: 4 }),
    priority: fc.integer({ min: -1, max: 1 }),
    waitMs: fc.oneof({ weight: 3, arbitrary: fc.constant(Infinity) }, { weight: 1, arbitrary: ms(200) }),
    up: fc.constantFrom(0, 0.25, 0.5, 1),
    fate,
  })
}

function runOf({ fate, transitMs, told, maxHoldMs }: RunOptions): fc.Arbitrary<Run> {
  const limit = fc.record({ limit: fc.integer({ min: 1, max: 6 }), windowMs: fc.integer({ min: 1, max: 120 }) })
  return fc
    .record({
      limits: fc.array(limit, { minLength: 1, maxLength: 3 }),
      transitMs,
      maxHoldMs,
      concurrency: fc.oneof(fc.constant(Number.MAX_SAFE_INTEGER), fc.integer({ min: 1, max: 4 })),
      calls: fc.array(callOf(fate), { minLength: 1, maxLength: 24, size: 'max' }),
    })
    .map((run) => ({ ...run, toldTransitMs: told(run.transitMs) }))
}

interface RunOptions {
  fate: fc.Arbitrary<Fate>
  transitMs: fc.Arbitrary<number>
  told: (transitMs: number) => number
  maxHoldMs: fc.Arbitrary<number>
}

interface Counted {
  at: number
  weight: number
}

interface Outcome {
  counted: Counted[]
  waiting: number
  mostTimers: number
}

/** What the server counts of a run, in order. */
async function play(run: Run, GateClass: typeof Gate): Promise<Outcome> {
  const clock = new ScriptClock()
  const { limits, toldTransitMs: transitMs, maxHoldMs, concurrency } = run
  const gate = new GateClass({ clock, limits, transitMs, maxHoldMs, concurrency })
  const counted: Counted[] = []
  const most = Math.min(...limits.map(({ limit }) => limit))
  let at = 0
  for (const { gapMs, weight, priority, waitMs, up, fate } of run.calls) {
    at += gapMs
    const spent = Math.min(weight, most)
    clock.at(at, () => {
      const abort = new AbortController()
      if (waitMs < Infinity) clock.at(clock.now() + waitMs, () => abort.abort())
      gate.acquire({ weight: spent, priority, signal: abort.signal }).then(
        (permit) => {
          const upMs = up * run.transitMs
          const count = () => counted.push({ at: clock.now(), weight: spent })
          if (fate.kind !== 'refunded') clock.at(clock.now() + upMs, count)
          if (fate.kind === 'refunded') clock.at(clock.now() + fate.leaveMs, () => permit.refund())
          if (fate.kind === 'aborted') clock.at(clock.now() + fate.leaveMs, () => permit.release())
          if (fate.kind !== 'answered' && fate.kind !== 'answered, then lost') return
          clock.at(clock.now() + upMs + fate.downMs, () => permit.settle())
          if (fate.kind === 'answered') clock.at(clock.now() + upMs + fate.downMs + fate.holdMs, () => permit.release())
        },
        () => {},
      )
    })
  }
  await clock.runAll()
  return { counted, waiting: gate.snapshot().queued, mostTimers: clock.mostTimers }
}

/** The most that any trailing window (t - windowMs, t] holds. */
function peak(counted: Counted[], windowMs: number): number {
  return Math.max(
    0,
    ...counted.map(({ at }) =>
      counted.reduce((sum, other) => (other.at > at - windowMs && other.at <= at ? sum + other.weight : sum), 0),
    ),
  )
}

function neverOvershoots(options: RunOptions, GateClass: typeof Gate = Gate) {
  return fc.asyncProperty(runOf(options), async (run) => {
    const { counted, waiting, mostTimers } = await play(run, GateClass)
    for (const { limit, windowMs } of run.limits) expect(peak(counted, windowMs)).toBeLessThanOrEqual(limit)
    expect([waiting, mostTimers <= 1]).toEqual([0, true])
  })
}

const anyFate: RunOptions = {
  fate: fc.oneof({ weight: 3, arbitrary: answered }, { weight: 2, arbitrary: unanswered }, refunded),
  transitMs: ms(60),
  told: (transitMs) => transitMs,
  maxHoldMs: fc.integer({ min: 1, max: 400 }),
}

/** Without a bound on transit the claim is for attempts whose headers arrive before they are taken back. */
const anyLatency: RunOptions = {
  fate: fc.oneof({ weight: 5, arbitrary: answered }, refunded),
  transitMs: ms(500),
  told: () => Infinity,
  maxHoldMs: fc.constant(1_000),
}

describe('no trailing window at the server holds more than its limit', () => {
  test('whatever the limits, weights, latencies, aborts, refunds, losses and priorities, and nobody waits for ever', async () => {
    await fc.assert(neverOvershoots(anyFate), { numRuns: examples(4_000) })
  })

  test('under any latency where transitMs is Infinity', async () => {
    await fc.assert(neverOvershoots(anyLatency), { numRuns: examples(1_000) })
  })
})

describe('the search finds', () => {
  const search = { numRuns: 2_000, seed: 1 }

  test('a gate that counts from sending, against a server that counts later', async () => {
    const found = await fc.check(neverOvershoots({ ...anyFate, told: () => 0 }), search)
    expect(found.failed).toBe(true)
  })

  test.skipIf(isMutated)('a gate in which an aborted attempt counts from its abort', async () => {
    const wrong = await without({
      file: 'admission.ts',
      snippet: 'if (this.#settings.transitMs === Infinity && attempt.countedAt === undefined)',
      instead: 'if (attempt.countedAt === undefined)',
    })
    const found = await fc.check(neverOvershoots(anyFate, wrong.Gate), search)
    expect(found.failed).toBe(true)
  })
})
