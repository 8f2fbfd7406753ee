import type { Clock } from './clock.ts'
import type { Block } from './limit.ts'
import type { Weight } from './weight.ts'

/** By whose word attempts go: the engine's, or while it is away this process's own part of each limit, all of it, or none. */
export type Via = 'engine' | 'share' | 'open' | 'closed'

/** This process's share of a budget that other processes draw on too. What it allows comes on top of the gate's own rules. */
export interface Share {
  readonly via: Via
  /** Processes that draw on the budget, as far as is known. */
  readonly processes: number
  /** How long it may take to say whether an attempt may go. 0 where that is known at once. Milliseconds. */
  readonly answersWithinMs: number
  /** What holds an attempt of this weight back; undefined where it may go. */
  block(weight: Weight, now: number): Block | undefined
  /** When the next attempt is worth looking at, as far as is known. */
  projectAt(now: number): number
  /** An attempt of this weight goes. */
  spend(weight: Weight, now: number): void
  /** An attempt of this weight has gone on its way, `grantedAt` as it was let through. */
  started(weight: Weight, grantedAt: number, now: number): void
  /** Nobody comes any more. Resolves when the others know, or will not be told. */
  close(): Promise<void>
  /** Something may have changed: callers wait, the gate was parked, an answer has come. */
  look(now: number): void
}

/** Makes the share of one gate. */
export type OpenShare = (gate: SharedGate) => Share

/** A gate, as its share sees it. */
export interface SharedGate {
  readonly clock: Clock
  /** Limits whose number and window are known. New ones are added at the end. */
  readonly limits: readonly SharedLimit[]
  /** Callers that wait, whatever holds them. */
  readonly queued: number
  /** Weights of those who could go by the gate's own rules, in order, at most so many. */
  waiting(most: number, now: number): Weight[]
  readonly park: SharedPark
  /** Parks on the word of another process; `untilMs` is by this gate's clock. */
  parkUntil(park: Omit<SharedPark, 'state'>): void
  /** The probe of another process was answered. */
  reopen(): void
  /** Bounds own weight to its part of each limit; undefined lifts that. */
  bind(part: PartOf | undefined): void
  /** Looks who may go now. */
  serve(): void
  /** By whose word attempts go from now on, and why that is. */
  tell(via: Via, why: string): void
}

/** What this process may hold of a limit as of `now`. */
export type PartOf = (limit: SharedLimit, now: number) => Part

export interface Part {
  /** Infinity for all of it. */
  readonly units: number
  /** When it becomes another one. Infinity for not before something happens. */
  readonly until: number
  /** An attempt heavier than the part goes alone; otherwise it does not go at all. */
  readonly heavyGoesAlone: boolean
}

export interface SharedLimit {
  readonly unit: string
  readonly name: string | undefined
  /** Units per window: configured, or stated where none is. Undefined while neither is known. */
  readonly sharedLimit: number | undefined
  readonly configured: boolean
  readonly window: { readonly windowMs: number; readonly held: number; readonly sentTotal: number }
  /** What the upstream said last. */
  readonly told: ToldUse | undefined
}

/** A reading, by the gate's clock: taken no earlier than `sentAt` and no later than `at`. */
export interface ToldUse {
  readonly used: number
  readonly stated: number
  readonly sentAt: number
  readonly at: number
  /** Weight that was certainly counted since is in it, and none that was counted before `possiblySince`. */
  readonly surelySince: number
  readonly possiblySince: number
  readonly until: number
}

export interface SharedPark {
  readonly state: 'open' | 'parked' | 'probing'
  readonly until: number
  readonly hinted: boolean
  readonly ceilingMs: number
  readonly broken: boolean
}
