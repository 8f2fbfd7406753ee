import fc from 'fast-check'
import { decide } from '../../src/shared/engine/decide.ts'
import { newState } from '../../src/shared/engine/state.ts'
import type { EngineAnswer, EngineCall, EngineReply } from '../../src/shared/protocol.ts'

/** One step of a generated run: a member calls after some time. */
export interface Step {
  member: number
  afterUs: number
  wants: { count: number; weight: number }[]
  more: 'nothing' | 'away' | 'back' | 'leave' | 'jumped' | 'late' | 'restart' | 'stale epoch'
  extra: number
  /** How much of what it has sent is still in the window. */
  recent: number
  park: { forMs: number; hinted: boolean; broken: boolean } | undefined
  probe: EngineCall['probe']
  reading: { index: number; used: number; agoMs: number } | undefined
  clockStepUs: number
}

export interface Setting {
  limits: { limit: number; windowMs: number }[]
  heartbeatMs: number
  holdBackMs: number
}

/** A call and when the engine's clock says it comes. */
export interface TimedCall {
  clockUs: number
  call: EngineCall
}

const MS = 1_000
const START_US = 1_764_000_000_000_000

export const settings: fc.Arbitrary<Setting> = fc.record({
  limits: fc.array(
    fc.record({ limit: fc.integer({ min: 1, max: 40 }), windowMs: fc.constantFrom(20, 100, 1_000, 60_000) }),
    { minLength: 0, maxLength: 3 },
  ),
  heartbeatMs: fc.constantFrom(100, 1_000),
  holdBackMs: fc.constantFrom(0, 0, 5_000),
})

const rarely = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 5 })

export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    member: fc.integer({ min: 0, max: 3 }),
    afterUs: fc.oneof(
      fc.integer({ min: 0, max: 5_000 }),
      fc.integer({ min: 0, max: 400_000 }),
      fc.integer({ min: 0, max: 8_000_000 }),
    ),
    wants: fc.array(
      fc.record({ count: fc.integer({ min: 1, max: 12 }), weight: fc.constantFrom(1, 1, 1, 0, 2, 0.1, 0.5, 7, 50) }),
      {
        maxLength: 3,
      },
    ),
    more: fc.constantFrom(
      'nothing',
      'nothing',
      'nothing',
      'nothing',
      'away',
      'back',
      'leave',
      'jumped',
      'late',
      'restart',
      'stale epoch',
    ),
    extra: fc.constantFrom(0, 0, 0, 1, 4),
    recent: fc.constantFrom(1, 1, 1, 0.5, 0),
    park: rarely(fc.record({ forMs: fc.integer({ min: 0, max: 2_000 }), hinted: fc.boolean(), broken: fc.boolean() })),
    probe: rarely(fc.constantFrom('reopened', 'lost')),
    reading: rarely(
      fc.record({
        index: fc.integer({ min: 0, max: 2 }),
        used: fc.integer({ min: 0, max: 45 }),
        agoMs: fc.integer({ min: 0, max: 300 }),
      }),
    ),
    clockStepUs: fc.oneof(
      { weight: 20, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.integer({ min: -70_000_000, max: 70_000_000 }) },
    ),
  }),
  { minLength: 1, maxLength: 30 },
)

/** One window that holds many entries, or has many wait for it. */
export const longSettings: fc.Arbitrary<Setting> = fc.record({
  limits: fc.constantFrom([{ limit: 200, windowMs: 20_000 }], [{ limit: 7, windowMs: 2_000 }]),
  heartbeatMs: fc.constant(1_000),
  holdBackMs: fc.constant(0),
})

/** Nothing but calls of so many members. */
function quietSteps(
  members: number,
  wants: fc.Arbitrary<Step['wants']>,
  reading: fc.Arbitrary<Step['reading']>,
): fc.Arbitrary<Step> {
  return fc.record({
    member: fc.integer({ min: 0, max: members - 1 }),
    afterUs: fc.integer({ min: 0, max: 200_000 }),
    wants,
    more: fc.constant('nothing' as const),
    extra: fc.constant(0),
    recent: fc.constant(1),
    park: fc.constant(undefined),
    probe: fc.constant(undefined),
    reading,
    clockStepUs: fc.constant(0),
  })
}

/** Calls that fill it, of more members than there are turns, with readings of it. */
export const longSteps: fc.Arbitrary<Step[]> = fc.array(
  quietSteps(
    50,
    fc.constant([{ count: 2, weight: 1 }]),
    rarely(
      fc.record({
        index: fc.constant(0),
        used: fc.integer({ min: 100, max: 210 }),
        agoMs: fc.integer({ min: 0, max: 300 }),
      }),
    ),
  ),
  { minLength: 120, maxLength: 250, size: 'max' },
)

/** Small limits. */
export const crowdedSettings: fc.Arbitrary<Setting> = fc.record({
  limits: fc.array(fc.record({ limit: fc.integer({ min: 2, max: 12 }), windowMs: fc.constantFrom(500, 1_000) }), {
    minLength: 1,
    maxLength: 2,
  }),
  heartbeatMs: fc.constant(1_000),
  holdBackMs: fc.constant(0),
})

/** Calls of members that want more than their parts of them. */
export const crowdedSteps: fc.Arbitrary<Step[]> = fc.array(
  quietSteps(
    3,
    fc.constantFrom(0.5, 1, 1, 2).map((weight) => [{ count: 14, weight }]),
    fc.constant(undefined),
  ),
  { minLength: 20, maxLength: 40, size: 'max' },
)

/** What a member knows of its last answers. */
interface Memory {
  epoch: number
  heardAt: number
  heardClock: number
  members: number
  parts: number
  granted: number[]
  extra: number[]
}

/** The calls of a run, and what the engine of this package answers to each: a call rests on what was answered before. */
export function played(
  setting: Setting,
  run: readonly Step[],
): { calls: TimedCall[]; replies: EngineReply[]; news: boolean[] } {
  let state = newState()
  let clockUs = START_US
  let trueUs = START_US
  const memories = new Map<number, Memory>()
  const calls: TimedCall[] = []
  const replies: EngineReply[] = []
  const news: boolean[] = []
  for (const [index, step] of run.entries()) {
    trueUs += step.afterUs
    clockUs += step.afterUs + step.clockStepUs
    const memory = memories.get(step.member) ?? fresh(setting)
    const call = callOf(setting, step, memory, { trueUs, index })
    const { reply, isNews } = decide(state, call, clockUs)
    calls.push({ clockUs, call })
    replies.push(reply)
    news.push(isNews)
    if (!reply.late) memories.set(step.member, after(memory, reply, trueUs))
    if (step.more === 'leave') memories.delete(step.member)
  }
  return { calls, replies, news }
}

function fresh({ limits }: Setting): Memory {
  return {
    epoch: 0,
    heardAt: 0,
    heardClock: 0,
    members: 1,
    parts: 0,
    granted: limits.map(() => 0),
    extra: limits.map(() => 0),
  }
}

function after(memory: Memory, reply: EngineAnswer, trueUs: number): Memory {
  const { epoch, now, members, parts, limits } = reply
  return {
    ...memory,
    epoch,
    heardAt: now,
    heardClock: trueUs,
    members,
    parts,
    granted: limits.map(({ granted }) => granted),
  }
}

function callOf(
  setting: Setting,
  step: Step,
  memory: Memory,
  { trueUs, index }: { trueUs: number; index: number },
): EngineCall {
  const { limits, heartbeatMs, holdBackMs } = setting
  const at = memory.heardAt === 0 ? 0 : memory.heardAt + trueUs - memory.heardClock
  if (step.more === 'restart') Object.assign(memory, fresh(setting))
  memory.extra = memory.extra.map((extra) => extra + step.extra)
  return {
    member: `member${step.member}`,
    epoch: step.more === 'stale epoch' ? 999 : memory.epoch,
    newEpoch: index + 1,
    at: step.more === 'late' ? Math.max(0, at - 300 * MS) : step.more === 'restart' ? 0 : at,
    patienceUs: 250 * MS,
    jumped: step.more === 'jumped',
    heartbeatUs: heartbeatMs * MS,
    horizonUs: 5 * MS,
    members: memory.members,
    parts: memory.parts,
    heardAt: memory.heardAt,
    away: step.more === 'away',
    back: step.more === 'back',
    leaves: step.more === 'leave',
    holdBackUs: holdBackMs * MS,
    limits: limits.map(({ limit, windowMs }, each) => ({
      id: `l${each}`,
      // One member configures more.
      limit: step.member === 3 ? 2 * limit : limit,
      windowUs: windowMs * MS,
      granted: memory.granted[each]!,
      extra: memory.extra[each]!,
      recent: step.recent * Math.min(limit, memory.granted[each]! + memory.extra[each]!),
    })),
    wants:
      step.more === 'leave'
        ? []
        : step.wants.map(({ count, weight }) => ({ count, charges: limits.map(() => weight) })),
    park: step.park && {
      forUs: step.park.forMs * MS,
      hinted: step.park.hinted,
      ceilingUs: (step.park.hinted ? 60_000 : 120_000) * MS,
      broken: step.park.broken,
    },
    probe: step.probe,
    readings: readingsOf(setting, step, memory.heardAt),
  }
}

function readingsOf({ limits }: Setting, { reading }: Step, heardAt: number): EngineCall['readings'] {
  const limit = reading && limits[reading.index]
  if (!limit || heardAt === 0) return []
  const windowUs = limit.windowMs * MS
  const sentAt = heardAt - reading.agoMs * MS
  const times = {
    sentAt,
    takenAt: heardAt,
    possiblySinceAt: sentAt - windowUs - 5 * MS,
    surelySinceAt: heardAt - windowUs,
  }
  return [
    {
      index: reading.index,
      stated: limit.limit,
      used: reading.used,
      transitUs: (reading.used % 2 === 0 ? 5 : 250) * MS,
      until: heardAt + windowUs,
      ...times,
    },
  ]
}
