import type { SharedLimit } from '../gate/share.ts'
import { chargeOf, type Weight } from '../gate/weight.ts'
import { digestOf } from '../node-crypto.ts'
import type { EngineClock } from './engine-clock.ts'
import type { CalledLimit, CalledReading, RepliedLimit } from './protocol.ts'

/** 66 bits of a digest. */
const ID_LENGTH = 11

/** One limit as it is accounted for with the engine. */
interface Account {
  readonly limit: SharedLimit
  readonly id: string
  /** What the engine has charged to this process, as of its last answer. */
  granted: number
  /** What has been sent without its grants. */
  extra: number
  /** What has been sent of which it is known whether a grant was used for it. */
  seen: number
  /** When the attempt was sent whose reading the engine was last told. */
  toldAt: number
  /** The same of the call that is under way. */
  tellingAt: number
}

/** What one attempt is charged, by limit, in the order in which limits became known. */
export type Charges = readonly number[]

/** What this process has sent against each limit, with the engine's grants and without. */
export class Accounts {
  readonly #accounts: Account[] = []
  readonly #transitMs: number

  /** `transitMs` is how long an attempt takes from its start to being counted, at most. */
  constructor(transitMs: number) {
    this.#transitMs = transitMs
  }

  get size(): number {
    return this.#accounts.length
  }

  /** The limits, each with the window that the engine keeps for it. */
  get windows(): readonly { limit: SharedLimit; windowMs: number }[] {
    return this.#accounts.map(({ limit }) => ({ limit, windowMs: this.#windowMs(limit) }))
  }

  /** Limits that have become known are accounted for from now on. What they hold then was sent without a grant. */
  follow(limits: readonly SharedLimit[]): void {
    if (limits.length === this.#accounts.length) return
    for (const limit of limits) {
      if (limit.sharedLimit === undefined || this.#accounts.some((account) => account.limit === limit)) continue
      const told = { toldAt: -Infinity, tellingAt: -Infinity }
      this.#accounts.push({ limit, id: this.#idOf(limit), granted: 0, extra: 0, seen: heldBefore(limit), ...told })
    }
  }

  charges(weight: Weight): Charges {
    return this.#accounts.map(({ limit }) => chargeOf(weight, limit.unit))
  }

  /**
   * The attempt that goes now is on a grant of these charges; undefined for on none. What is less than its grant, or turns out to be,
   * makes up for nothing that goes later: the grant will have left the window by then.
   */
  spend(charges: Charges | undefined): void {
    this.#note()
    this.#accounts.forEach((account, index) => (account.seen += charges?.[index] ?? 0))
  }

  /** A grant was of no use: what was sent on it counts as sent without one. */
  unspend(charges: Charges): void {
    this.#note()
    this.#accounts.forEach((account, index) => (account.seen -= charges[index] ?? 0))
  }

  /** The engine has forgotten this process, which holds nothing: accounting begins anew. */
  restart(): void {
    for (const account of this.#accounts)
      Object.assign(account, { granted: 0, extra: 0, seen: heldBefore(account.limit), toldAt: -Infinity })
  }

  /** `unused` are the charges of grants that are still to be used: that may happen before an engine which has lost them answers. */
  called(unused: readonly Charges[]): CalledLimit[] {
    this.#note()
    return this.#accounts.map(({ limit, id, granted, extra }, index) => {
      const recent = unused.reduce((sum, charges) => sum + (charges[index] ?? 0), limit.window.held)
      return { id, limit: limit.sharedLimit!, windowUs: this.#windowMs(limit) * 1000, granted, extra, recent }
    })
  }

  /** A memory that is new to the engine knows none of the readings that it was told before. */
  answered(replied: readonly RepliedLimit[], isNewMemory: boolean): void {
    replied.forEach(({ granted }, index) => {
      const account = this.#accounts[index]!
      account.granted = granted
      account.toldAt = isNewMemory ? -Infinity : account.tellingAt
    })
  }

  /** Readings that the engine was not told yet. */
  readings(clock: EngineClock, now: number): CalledReading[] {
    const transitUs = this.#transitMs * 1000
    return this.#accounts.flatMap((account, index) => {
      const { told } = account.limit
      if (told === undefined || told.sentAt <= account.toldAt || told.until <= now) return []
      if (clock.earliestUs(told.sentAt) === 0) return []
      account.tellingAt = told.sentAt
      return [
        {
          index,
          stated: told.stated,
          used: told.used,
          sentAt: clock.earliestUs(told.sentAt),
          takenAt: clock.latestUs(told.at),
          surelySinceAt: clock.latestUs(told.surelySince),
          possiblySinceAt: Math.max(0, clock.earliestUs(told.possiblySince) - transitUs),
          transitUs,
          until: clock.latestUs(told.until),
        },
      ]
    })
  }

  /** Limits that are alike in all else are told apart by their order. */
  #idOf(limit: SharedLimit): string {
    const id = idOf(limit)
    const alike = this.#accounts.filter((account) => idOf(account.limit) === id).length
    return alike === 0 ? id : `${id}-${alike}`
  }

  #note(): void {
    for (const account of this.#accounts) {
      const { sentTotal } = account.limit.window
      account.extra += Math.max(0, sentTotal - account.seen)
      account.seen = sentTotal
    }
  }

  /** The engine knows only starts: its window is longer by what an attempt takes to be counted. */
  #windowMs({ window }: SharedLimit): number {
    return Math.ceil(window.windowMs + this.#transitMs)
  }
}

/** What had been sent before what is held. */
function heldBefore({ window }: SharedLimit): number {
  return window.sentTotal - window.held
}

/** The same in every process. It says nothing of the upstream's words. */
function idOf({ name = '', unit, window }: SharedLimit): string {
  return digestOf(JSON.stringify([name, unit, window.windowMs]), ID_LENGTH)
}
