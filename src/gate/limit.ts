import type { Reading } from './observation.ts'
import type { SavedLimit } from './saved.ts'
import type { Charge, OwnWeight, Window } from './window.ts'

/** At most `limit` units of weight in any trailing window of `windowMs`. */
export interface Limit {
  /** Units of weight, above 0. */
  limit: number
  /** Milliseconds, 1 to 366 days. */
  windowMs: number
  /** The upstream's name for it; readings of the same name belong to it. */
  name?: string
  /** What is counted. Default `requests`. */
  unit?: string
  /**
   * `rolling` (default): each unit comes back a window after it was spent. `fixed`: all come back at a reset, which readings
   * name. Say `fixed` only where the upstream's documentation does: it cannot be told from readings.
   */
  kind?: 'rolling' | 'fixed'
}

/** What holds an attempt back. */
export type Cause = 'limit' | 'reading' | 'concurrency' | 'pace' | 'park' | 'probe' | 'cold-start' | 'engine'

/** An attempt may not go now. */
export interface Block {
  /** The first instant worth asking again if nothing but time happens. Infinity where only an answer can help. */
  at: number
  cause: Cause
}

/** Which of two holds an attempt back longer; the first where both do. */
export function longer(one: Block | undefined, other: Block | undefined): Block | undefined {
  return one === undefined || (other !== undefined && other.at > one.at) ? other : one
}

/** One attempt and its answer, as far as a reading is judged by them. */
export interface Taken {
  /** Place of the attempt in the order of sending. */
  order: number
  /** When its headers arrived. */
  at: number
  /** When it was sent. */
  sentAt: number
  /** What it spent of the limit, unless that became known after the upstream had certainly counted it. */
  charge: Charge | undefined
  /** It takes the place of a reading in a later attempt's answer: the upstream refused this one. */
  overrules: boolean
}

/** An attempt let through, as limits know it. */
export interface Sent {
  readonly order: number
  readonly sentAt: number
  /** By when it was certainly counted, once that is known. */
  readonly countedAt: number | undefined
}

/** What a limit has to know of the gate to say when there is room. */
export interface Demand {
  now: number
  /** By when the oldest weight that is not counted yet will be. */
  uncountedUntil: number
  /** Nothing is in flight. */
  idle: boolean
  /** A probe goes on the upstream's own hint: readings do not hold it. */
  ignoreReadings: boolean
}

/** A limit with what was sent against it and what the upstream last said about it. */
export interface LimitState {
  readonly name: string | undefined
  readonly unit: string
  readonly window: Window
  /** The length of the window is a guess: no configuration and no response states it. */
  readonly guessed: boolean
  /** Units per window that bind now, if known. */
  readonly effectiveLimit: number | undefined
  /** The same of this process alone, where others have parts of it. */
  readonly ownLimit: number | undefined
  /** Whether `weight` can never go: said only against a configured limit. */
  never(weight: number): boolean
  /** Lets time pass. True where a reading that showed foreign use has gone stale. */
  advance(now: number): boolean
  read(reading: Reading, taken: Taken): void
  /** Forgets the reading: the upstream refused the attempt of this place without saying what is left. */
  forget(order: number): void
  /** What holds `weight` units back; undefined where there is room. */
  block(weight: number, demand: Demand): Block | undefined
  /** When `weight` units will fit behind `ahead` more, if it can be told. */
  projectAt(weight: number, ahead: number, now: number): number
  /** Told of an attempt let through, and what it spends. */
  sent(attempt: Sent, weight: number): void
  /** Told that weight still in the window changed by `delta`. */
  corrected(attempt: Sent, delta: number): void
  /** Told of an answer that does not throttle and says nothing of this limit. */
  silent(order: number, probe: boolean): void
  /** Until when a throttled reading parks the gate: `now` for not at all. */
  parkUntil(reading: Reading, now: number, floorMs: number): number
  snapshot(now: number): LimitSnapshot
  /** What another process has to know; `counted` is by when each weight is certainly counted. */
  save(now: number, counted: Counted): SavedLimit
  /** Goes on from what another process knew at `savedAt`, by this one's clock. */
  restore(saved: SavedLimit, savedAt: number, transitMs: number): void
}

/** Weights by the instant at which each is certainly counted, oldest first. */
export type Counted = Iterable<readonly [at: number, weight: number]>

/** One limit as `snapshot()` shows it. */
export interface LimitSnapshot {
  name?: string
  unit: string
  source: 'configured' | 'learned'
  /** Units per window that bind now. */
  limit?: number
  /** Absent while it is not known. */
  windowMs?: number
  /** Own weight that the upstream may still count. */
  held: number
  /** Weight of others that the gate allows for; 0 where the engine of a shared budget does. */
  foreignUse: number
  /** Age of the reading in milliseconds; absent where there is none. */
  readingAgeMs?: number
  /** Units per window that the gate keeps to with `fairShare`, while readings show others; absent otherwise. */
  share?: number
}

/** Whether the reading tells how much of the limit is left. Some tell no more than the limit, or when it resets. */
export function tellsLeft({ remaining, used }: Reading): boolean {
  return remaining !== undefined || used !== undefined
}

/** Units counted, by `used` or by what is left of `limit`; undefined where the reading tells neither. */
export function usedIn(reading: Reading, limit: number | undefined): number | undefined {
  const spent = limit === undefined || reading.remaining === undefined ? undefined : limit - reading.remaining
  if (spent === undefined) return reading.used
  return Math.max(spent, reading.used ?? spent)
}

/**
 * How much more own weight is surely in the reading that the answer to `told` brought, now that an attempt weighs `delta` more. What the
 * answered one weighs more, it may have cost after its answer.
 */
export function moreInReading(
  told: Pick<Taken, 'order' | 'sentAt'> & Pick<OwnWeight, 'itself' | 'alone'>,
  { order, countedAt }: Sent,
  delta: number,
): number {
  if (order === told.order) return told.itself ? Math.min(delta, 0) : 0
  return !told.alone && countedAt !== undefined && countedAt <= told.sentAt ? delta : 0
}
