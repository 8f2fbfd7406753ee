import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Permit } from '../../src/gate/index.ts'
import type { SharedBudgetOptions } from '../../src/shared/index.ts'
import { type Process, setUpFleet } from './fleet.ts'
import { examples } from '../support/examples.ts'

/** From its start until the upstream counts it an attempt takes so long at most. The rest of `transitMs` is the way to the engine. */
const UP_MS = 30
const WARM_MS = 1_300

interface Send {
  afterMs: number
  process: number
  count: number
  weight: number
  upMs: number
  downMs: number
  /** The caller gives up if it still waits then. */
  waitMs: number
  /** Its true weight turns out to be so much less when it is answered. */
  less: number
}

type Trouble =
  | { kind: 'flush' }
  | { kind: 'clock'; byMs: number }
  | { kind: 'flush and clock'; byMs: number }
  /** Of all processes: their calls are refused, or lost on the way. */
  | { kind: 'outage'; how: 'refuses' | 'calls'; forMs: number; empty: boolean }
  | { kind: 'one cut off'; process: number; how: 'refuses' | 'calls' | 'answers'; forMs: number }
  | { kind: 'asleep'; process: number }
  | { kind: 'another joins' }

interface Run {
  limits: { limit: number; windowMs: number }[]
  processes: number
  upMs: number
  downMs: number
  sends: Send[]
  troubles: { afterMs: number; trouble: Trouble }[]
}

const ms = (max: number) => fc.integer({ min: 0, max })
const how = fc.constantFrom('refuses' as const, 'calls' as const, 'answers' as const)

const send: fc.Arbitrary<Send> = fc.record({
  afterMs: fc.oneof(fc.constant(0), ms(50), ms(700)),
  process: ms(3),
  count: fc.integer({ min: 1, max: 6 }),
  weight: fc.integer({ min: 1, max: 4 }),
  upMs: fc.constantFrom(0, UP_MS),
  downMs: ms(200),
  waitMs: fc.oneof({ weight: 4, arbitrary: fc.constant(Infinity) }, { weight: 1, arbitrary: ms(500) }),
  less: fc.constantFrom(0, 0, 0, 1, 3),
})

/** What is more ahead than the engine's windows are longer, and less than its members wait for answers, is noticed only afterwards. */
const jump = fc
  .oneof(fc.integer({ min: -70_000, max: 70_000 }), fc.integer({ min: -600, max: 600 }))
  .filter((byMs) => byMs < 60 || byMs > 300)

const lossOrJump: fc.Arbitrary<Trouble> = fc.oneof(
  fc.constant({ kind: 'flush' as const }),
  fc.record({ kind: fc.constant('clock' as const), byMs: jump }),
  fc.record({ kind: fc.constant('flush and clock' as const), byMs: jump }),
)
/**
 * Not with a loss: who has just joined is not known to the others. Not with a jump of the clock: who has just joined or woken does not
 * know the time.
 */
const joinOrSleep: fc.Arbitrary<Trouble> = fc.oneof(
  fc.record({ kind: fc.constant('asleep' as const), process: ms(3) }),
  fc.constant({ kind: 'another joins' as const }),
)
const outage: fc.Arbitrary<Trouble> = fc.record({
  kind: fc.constant('outage' as const),
  how: fc.constantFrom('refuses' as const, 'calls' as const),
  // A shorter one is lost to some of them only, and they add their parts to what the others send.
  forMs: fc.integer({ min: 1_000, max: 4_000 }),
  empty: fc.boolean(),
})
const cutOff = (longestMs: number): fc.Arbitrary<Trouble> =>
  fc.record({ kind: fc.constant('one cut off' as const), process: ms(3), how, forMs: ms(longestMs) })

const joins = fc.constant<Trouble>({ kind: 'another joins' })

function runOf(trouble: fc.Arbitrary<Trouble>): fc.Arbitrary<Run> {
  const windowMs = fc.constantFrom(50, 300, 1_000, 1_900)
  return fc.record({
    limits: fc.array(fc.record({ limit: fc.integer({ min: 1, max: 8 }), windowMs }), { minLength: 1, maxLength: 2 }),
    processes: fc.integer({ min: 1, max: 4 }),
    upMs: ms(4),
    downMs: ms(4),
    sends: fc.array(send, { minLength: 1, maxLength: 25, size: 'max' }),
    troubles: fc.array(fc.record({ afterMs: ms(1_500), trouble }), { maxLength: 3, size: 'max' }),
  })
}

/** What the upstream counts of a run. */
async function play(run: Run, shared: Partial<SharedBudgetOptions>): Promise<{ at: number; weight: number }[]> {
  const { limits, upMs, downMs } = run
  const fleet = setUpFleet({
    processes: run.processes,
    gate: { limits, transitMs: UP_MS },
    shared,
  })
  const { clock } = fleet
  const all: Process[] = [...fleet.all]
  for (const { wire } of all) Object.assign(wire, { upMs, downMs })
  const counted: { at: number; weight: number }[] = []
  const most = Math.min(...limits.map(({ limit }) => limit))
  const later = (afterMs: number, does: () => void) => clock.setTimer(does, afterMs, { keepAlive: false })

  const sendOne = ({ process, weight, waitMs, ...how }: Omit<Send, 'afterMs' | 'count'>): void => {
    const spent = Math.min(weight, most)
    const abort = new AbortController()
    if (waitMs < Infinity) later(waitMs, () => abort.abort())
    const answered = (permit: Permit): void => {
      if (how.less > 0) permit.correct(Math.max(0, spent - how.less))
      permit.settle()
      permit.release()
    }
    all[process % all.length]!.gate.acquire({ weight: spent, signal: abort.signal }).then(
      (permit) => {
        later(how.upMs, () => counted.push({ at: clock.now(), weight: Math.max(0, spent - how.less) }))
        later(how.upMs + how.downMs, () => answered(permit))
      },
      () => {},
    )
  }

  const break_ = (processes: readonly Process[], { how, forMs }: Extract<Trouble, { how: unknown }>): void => {
    for (const { wire } of processes) {
      if (how === 'refuses') wire.fault = new Error('down')
      else wire.loses = how
    }
    later(forMs, () => processes.forEach(({ wire }) => Object.assign(wire, { fault: undefined, loses: 'nothing' })))
  }

  const happen = (trouble: Trouble): void => {
    if (trouble.kind.startsWith('flush')) fleet.engine.flush()
    if ('byMs' in trouble) fleet.engineClock.offMs += trouble.byMs
    if (trouble.kind === 'outage') {
      break_(all, trouble)
      if (trouble.empty) fleet.engine.flush()
    }
    if (trouble.kind === 'one cut off') break_([all[trouble.process % all.length]!], trouble)
    if (trouble.kind === 'asleep') clock.jumpWall(5_000)
    if (trouble.kind === 'another joins') all.push(fleet.start(all.length))
  }

  for (let process = 0; process < all.length; process += 1)
    sendOne({ process, weight: 1, upMs: 0, downMs: 0, waitMs: Infinity, less: 0 })
  await clock.advance(WARM_MS)
  let at = 0
  for (const { afterMs, count, ...how } of run.sends) {
    at += afterMs
    later(at, () => {
      for (let sends = 0; sends < count; sends += 1) sendOne(how)
    })
  }
  let troubledAt = 0
  let mendedAt = 0
  for (const { afterMs, trouble } of run.troubles) {
    troubledAt += afterMs
    mendedAt = Math.max(mendedAt, troubledAt + ('forMs' in trouble ? trouble.forMs : 0))
    later(troubledAt, () => happen(trouble))
  }
  await clock.advance(Math.max(at, mendedAt) + 4_000)
  return counted
}

function peak(counted: readonly { at: number; weight: number }[], windowMs: number): number {
  return Math.max(
    0,
    ...counted.map(({ at }) =>
      counted.reduce((sum, other) => (other.at > at - windowMs && other.at <= at ? sum + other.weight : sum), 0),
    ),
  )
}

function neverOvershoots(
  trouble: fc.Arbitrary<Trouble>,
  options: fc.Arbitrary<Partial<SharedBudgetOptions>> = fc.constant({}),
) {
  return fc.asyncProperty(runOf(trouble), options, async (run, shared) => {
    const counted = await play(run, shared)
    for (const { limit, windowMs } of run.limits) expect(peak(counted, windowMs)).toBeLessThanOrEqual(limit)
    expect(counted.length).toBeGreaterThan(0)
  })
}

describe('no trailing window at the upstream holds more than the limit of a fleet', () => {
  test('whatever the engine loses, and wherever its clock jumps', async () => {
    await fc.assert(neverOvershoots(lossOrJump), { numRuns: examples(150) })
  })

  test('while others join, and machines sleep', async () => {
    await fc.assert(neverOvershoots(joinOrSleep), { numRuns: examples(100) })
  })

  test('while the engine is away from all of them, and when it is back, empty or not', async () => {
    await fc.assert(neverOvershoots(outage), { numRuns: examples(150) })
  })

  test('while it is away from some of them, where parts are held back', async () => {
    const strict = fc.record({
      strictPartition: fc.constant(true),
      heartbeatMs: fc.constantFrom(100, 400, 1_000),
      deadlineMs: fc.constantFrom(50, 100, 300),
    })
    await fc.assert(neverOvershoots(fc.oneof(cutOff(9_000), joins), strict), { numRuns: examples(150) })
  })

  test('while it is away from one that sends nothing then', async () => {
    await fc.assert(neverOvershoots(cutOff(3_000), fc.constant({ onEngineLoss: 'closed' as const })), {
      numRuns: examples(150),
    })
  })
})
