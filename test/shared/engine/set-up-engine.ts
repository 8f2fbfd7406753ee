import { decide } from '../../../src/shared/engine/decide.ts'
import { newState } from '../../../src/shared/engine/state.ts'
import type { CalledLimit, CalledPark, CalledReading, EngineAnswer, EngineCall } from '../../../src/shared/protocol.ts'

/** What a call says beyond what every call of its member does. Milliseconds; instants are the test's. */
export interface Ask {
  /** Charges of the attempts that wait: a number is charged to every limit. */
  wants?: (number | readonly number[])[]
  limits?: LimitOf[]
  horizonMs?: number
  holdBackMs?: number
  epoch?: number
  members?: number
  /** What it sent without a grant since it joined, and what it has in the window, by limit. */
  extra?: readonly number[]
  recent?: readonly number[]
  granted?: readonly number[]
  away?: boolean
  back?: boolean
  leaves?: boolean
  jumped?: boolean
  /** When it says that it called. Default: now. */
  calledAt?: number
  /** How far the engine's own clock is off the test's. */
  clockOffMs?: number
  park?: CalledPark
  probe?: EngineCall['probe']
  readings?: CalledReading[]
}

export type LimitOf = readonly [limit: number, windowMs: number]

/** An answer in the test's instants. */
export interface Heard {
  /** When the attempts granted may start. */
  starts: number[]
  /** When the rest is worth asking for again; undefined where there is none. */
  backAt: number | undefined
  reply: EngineAnswer
}

/** What a member knows from its last answer. */
interface Memory {
  epoch: number
  members: number
  parts: number
  heardAt: number
  granted: readonly number[]
}

/** The engine's clock at the test's instant 0. */
const START_MS = 1_764_000_000_000

export const us = (ms: number): number => Math.round(ms * 1000)
/** An instant of the test by the engine's clock. */
export const engineUs = (at: number): number => us(START_MS + at)

export const heartbeatMs = 1_000
export const patienceMs = 250

/** One gate of an engine, and members that remember their answers as real ones do. */
export function setUpEngine(limits: LimitOf[], defaults: Ask = {}) {
  let state = newState()
  const memories = new Map<string, Memory>()
  let epochs = 0

  const call = (at: number, member: string, ask: Ask = {}) => {
    const asked = { ...defaults, ...ask }
    const memory = memories.get(member) ?? { epoch: 0, members: 1, parts: 0, heardAt: 0, granted: limits.map(() => 0) }
    const { reply, isNews } = decide(state, callOf(asked, memory), engineUs(at + (asked.clockOffMs ?? 0)))
    if (!reply.late) {
      const { epoch, members, parts, now, limits: told } = reply
      memories.set(member, { epoch, members, parts, heardAt: now, granted: told.map(({ granted }) => granted) })
    }
    if (asked.leaves) memories.delete(member)
    return { reply, isNews }

    function callOf(options: Ask, known: Memory): EngineCall {
      const {
        wants = [],
        horizonMs = 0,
        holdBackMs = 0,
        away = false,
        back = false,
        leaves = false,
        jumped = false,
      } = options
      const ofCall = options.limits ?? limits
      return {
        member,
        epoch: options.epoch ?? known.epoch,
        newEpoch: (epochs += 1),
        at: engineUs(options.calledAt ?? at),
        patienceUs: us(patienceMs),
        jumped,
        heartbeatUs: us(heartbeatMs),
        horizonUs: us(horizonMs),
        members: options.members ?? known.members,
        parts: known.parts,
        heardAt: known.heardAt,
        away,
        back,
        leaves,
        holdBackUs: us(holdBackMs),
        limits: ofCall.map(([limit, windowMs], index): CalledLimit => {
          const granted = options.granted?.[index] ?? known.granted[index] ?? 0
          const extra = options.extra?.[index] ?? 0
          return {
            id: `l${index}`,
            limit,
            windowUs: us(windowMs),
            granted,
            extra,
            recent: options.recent?.[index] ?? Math.min(limit, granted + extra),
          }
        }),
        wants: wants.map((want) => ({ count: 1, charges: typeof want === 'number' ? ofCall.map(() => want) : want })),
        park: options.park,
        probe: options.probe,
        readings: options.readings ?? [],
      }
    }
  }

  /** Calls, and has an answer that is not `late`. */
  const hear = (at: number, member: string, ask: Ask = {}): Heard => {
    const { reply } = call(at, member, ask)
    if (reply.late) throw new Error('the engine called the call late')
    const instant = (fromNowUs: number): number => (reply.now + fromNowUs) / 1000 - START_MS
    const { backUs } = reply
    return { starts: reply.starts.map(instant), backAt: backUs === 0 ? undefined : instant(backUs), reply }
  }

  /** Asks for attempts of these weights: their starts. */
  const starts = (at: number, member: string, wants: Ask['wants'], ask: Ask = {}): number[] =>
    hear(at, member, { ...ask, wants: wants! }).starts

  /** How many attempts of weight 1 may start: one call is granted a part of them, so a member calls until it gets nothing. */
  const room = (at: number, member: string): number => {
    const { length } = starts(
      at,
      member,
      Array.from({ length: 20 }, () => 1),
    )
    return length === 0 ? 0 : length + room(at, member)
  }

  /** Until each has been told of its equal part, and has said so. */
  const settle = (members: readonly string[]): void => {
    for (let round = 0; round < 4; round += 1) for (const member of members) hear(0, member)
  }

  return {
    call,
    hear,
    starts,
    room,
    settle,
    /** Forgets everything. */
    flush: () => (state = newState()),
    get state() {
      return state
    },
  }
}

export type Bench = ReturnType<typeof setUpEngine>

/** One call in a table: who asks for what and when, and what it gets. */
export type Row = readonly [at: number, member: string, wants: Ask['wants'], starts: number[], backAt?: number]

/** Plays a table, and returns it as it went. */
export function play(engine: Pick<Bench, 'hear'>, rows: readonly Row[]): Row[] {
  return rows.map(([at, member, wants, , expectedBack]) => {
    const { starts, backAt } = engine.hear(at, member, { wants: wants! })
    return expectedBack === undefined && backAt === undefined
      ? [at, member, wants, starts]
      : [at, member, wants, starts, backAt!]
  })
}
