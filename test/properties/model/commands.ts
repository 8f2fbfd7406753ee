import fc from 'fast-check'
import type { Settings } from './books.ts'

/** Attempts and callers are picked by `index`, modulo how many there are, the last first. Durations are milliseconds. */
export type Command =
  | ({ kind: 'acquire'; maxWaitMs: number; whenParked: 'wait' | 'refuse'; again: number | undefined } & Asks)
  | ({ kind: 'tryAcquire' } & Asks)
  | { kind: 'explain'; weight: number; priority: number }
  | { kind: 'abort'; index: number }
  | { kind: 'settle'; index: number; told: Told }
  | { kind: 'correct'; index: number; weight: number }
  | { kind: 'refund' | 'release'; index: number }
  | { kind: 'park'; ms: number }
  | { kind: 'wait'; ms: number }
  | { kind: 'others'; weight: number }
  | { kind: 'close'; drainMs: number }

/** What an attempt is asked for with, and what becomes of it. */
interface Asks {
  weight: number
  priority: number
  /** What the server counts of the weight, as a part; in a rough run all of it. */
  costs: number
  /** When the server counts it, as a part of the longest way there. Below 0 it never gets there. */
  up: number
}

/** What an answer says. */
export interface Told {
  throttled: boolean
  hintMs: number
  /** Whether it states each limit: not at all, as it was when the attempt was counted, or as the headers arrive. */
  limits: ('untold' | 'as counted' | 'as answered')[]
}

export interface Run {
  settings: Settings
  /**
   * `alone`: the server counts what the gate sends, and answers tell the truth. `beside others`: it counts theirs too. `rough`: attempts may
   * turn out heavier than was asked for; no answer tells what is left then, and nothing is claimed for the server.
   */
  setting: 'alone' | 'beside others' | 'rough'
  commands: Command[]
}

const ms = (max: number) => fc.integer({ min: 0, max })
const priority = fc.integer({ min: -1, max: 1 })
const index = fc.oneof(fc.constant(0), fc.nat(2), fc.nat(9))

const asks = {
  weight: fc.oneof(
    { weight: 4, arbitrary: fc.constant(1) },
    { weight: 4, arbitrary: fc.integer({ min: 0, max: 4 }) },
    { weight: 1, arbitrary: fc.constant(13) },
  ),
  priority,
  costs: fc.constantFrom(1, 1, 0.5, 0),
  up: fc.constantFrom(0, 0.25, 1, 1, -1),
}

const told: fc.Arbitrary<Told> = fc.record({
  throttled: fc.oneof({ weight: 2, arbitrary: fc.constant(false) }, fc.constant(true)),
  hintMs: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, ms(40)),
  limits: fc.array(fc.constantFrom('untold', 'as counted', 'as answered'), { minLength: 2, maxLength: 2 }),
})

const one = <Kind extends string>(kind: Kind) => ({ kind: fc.constant(kind) })

const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      ...one('acquire'),
      ...asks,
      maxWaitMs: fc.oneof({ weight: 3, arbitrary: fc.constant(Infinity) }, ms(150)),
      whenParked: fc.constantFrom('wait', 'wait', 'refuse'),
      again: fc.option(index, { nil: undefined, freq: 5 }),
    }),
  },
  { weight: 5, arbitrary: fc.record({ ...one('tryAcquire'), ...asks }) },
  { weight: 1, arbitrary: fc.record({ ...one('explain'), weight: asks.weight, priority }) },
  { weight: 2, arbitrary: fc.record({ ...one('abort'), index }) },
  { weight: 8, arbitrary: fc.record({ ...one('settle'), index, told }) },
  { weight: 2, arbitrary: fc.record({ ...one('correct'), index, weight: fc.integer({ min: 0, max: 6 }) }) },
  { weight: 2, arbitrary: fc.record({ ...one('refund'), index }) },
  { weight: 5, arbitrary: fc.record({ ...one('release'), index }) },
  { weight: 1, arbitrary: fc.record({ ...one('park'), ms: fc.oneof(ms(30), ms(200)) }) },
  { weight: 1, arbitrary: fc.record({ ...one('others'), weight: fc.integer({ min: 1, max: 6 }) }) },
  { weight: 8, arbitrary: fc.record({ ...one('wait'), ms: fc.oneof(ms(12), ms(120)) }) },
)

const close: fc.Arbitrary<Command> = fc.record({ ...one('close'), drainMs: fc.oneof(fc.constant(0), ms(80)) })

/** Windows that every limit divides, so that an even pace is kept in exact numbers. */
const anyLimits = fc
  .record({
    limits: fc.array(fc.constantFrom(4, 6, 12), { minLength: 1, maxLength: 2 }),
    windows: fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 2, maxLength: 2 }),
  })
  .map(({ limits, windows }) => limits.map((limit, which) => ({ limit, windowMs: windows[which]! * 12 })))

const anySettings: fc.Arbitrary<Settings> = fc.record({
  limits: anyLimits,
  transitMs: fc.oneof(fc.constantFrom(0, Infinity), fc.integer({ min: 1, max: 80 })),
  concurrency: fc.constantFrom(1, 2, 4, Number.MAX_SAFE_INTEGER),
  maxHoldMs: fc.constantFrom(60, 300, 5_000),
  maxQueueSize: fc.constantFrom(0, 2, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  pace: fc.constantFrom('burst', 'burst', 'even'),
  cooldown: fc.constantFrom({ baseMs: 40, maxMs: 160, parkMs: 10 }, { baseMs: 8, maxMs: 64, parkMs: 20 }),
})

const tryAcquire = (weight: number) => fc.record({ ...one('tryAcquire'), ...asks, weight: fc.constant(weight) })
const settle = (throttled: boolean) =>
  fc.record({ ...one('settle'), index: fc.nat(3), told: told.map((each) => ({ ...each, throttled })) })

/** A park that attempts sent before it are answered after, and more often than chance would have it a probe that is answered too. */
const episode: fc.Arbitrary<Command[]> = fc.tuple(
  tryAcquire(0),
  tryAcquire(1),
  settle(true),
  fc.record({ ...one('wait'), ms: ms(100) }),
  tryAcquire(0),
  fc.record({ ...one('settle'), index: fc.constant(0), told }),
  settle(true),
  settle(false),
)

const anyPart = fc.oneof(
  { weight: 12, arbitrary: anyCommand.map((command) => [command]) },
  { weight: 1, arbitrary: episode },
)

const anyCommands = fc
  .record({
    before: fc.array(anyPart, { maxLength: 40, size: 'max' }).map((parts) => parts.flat()),
    after: fc.option(fc.tuple(close, fc.array(fc.oneof(anyCommand, close), { maxLength: 8 })), { freq: 3 }),
  })
  .map(({ before, after }) => (after ? [...before, after[0], ...after[1]] : before))

/** With equal weights the gate's projections are exact. */
const withUnits = (command: Command): Command => ('priority' in command ? { ...command, weight: 1 } : command)

export const anyRun: fc.Arbitrary<Run> = fc
  .record({
    settings: anySettings,
    setting: fc.constantFrom('alone', 'beside others', 'rough'),
    units: fc.boolean(),
    commands: anyCommands,
  })
  .map(({ units, commands, ...run }) => ({ ...run, commands: units ? commands.map(withUnits) : commands }))
