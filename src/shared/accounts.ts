import type { SharedLimit } from '../gate/share.ts'
import { chargeOf, type Weight } from '../gate/weight.ts'
import { nodeCrypto } from '../node-crypto.ts'
import type { EngineClock } from './engine-clock.ts'
import type { CalledLimit, CalledReading, RepliedLimit } from './protocol.ts'

/** One limit as it is accounted for with the engine. */
interface Account {
  readonly limit: SharedLimit
  readonly id: string
  /** What the engine has charged to this process, as of its last answer. */
  granted: number
  /** What has been sent on its grants. */
  spent: number
  /** What had been sent when accounting began. */
  before: number
  /** What has been sent without its grants. */
  extra: number
  /** When the attempt was sent whose reading the engine was last told. */
  toldAt: number
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
      const before = limit.window.sentTotal - limit.window.held
      this.#accounts.push({ limit, id: idOf(limit), granted: 0, spent: 0, before, extra: 0, toldAt: -Infinity })
    }
  }

  charges(weight: Weight): Charges {
    return this.#accounts.map(({ limit }) => chargeOf(weight, limit.unit))
  }

  spend(charges: Charges): void {
    this.#accounts.forEach((account, index) => (account.spent += charges[index] ?? 0))
  }

  /** A grant was of no use: what was sent on it counts as sent without one. */
  unspend(charges: Charges): void {
    this.#accounts.forEach((account, index) => (account.spent -= charges[index] ?? 0))
  }

  /** The engine has forgotten this process, which holds nothing: accounting begins anew. */
  restart(): void {
    for (const account of this.#accounts) {
      const { sentTotal, held } = account.limit.window
      Object.assign(account, { granted: 0, spent: 0, before: sentTotal - held, extra: 0 })
    }
  }

  /** `inHand` are grants that are still to be used: until the engine has answered they may be. */
  called(inHand: readonly Charges[]): CalledLimit[] {
    return this.#accounts.map((account, index) => {
      const { limit, id, granted, spent, before } = account
      const { sentTotal, held } = limit.window
      account.extra = Math.max(account.extra, sentTotal - before - spent)
      const { extra } = account
      const recent = inHand.reduce((sum, charges) => sum + (charges[index] ?? 0), held)
      return { id, limit: limit.sharedLimit!, windowUs: this.#windowMs(limit) * 1000, granted, extra, recent }
    })
  }

  answered(replied: readonly RepliedLimit[]): void {
    replied.forEach(({ granted }, index) => (this.#accounts[index]!.granted = granted))
  }

  /** Readings that the engine was not told yet. */
  readings(clock: EngineClock, now: number): CalledReading[] {
    const transitUs = this.#transitMs * 1000
    return this.#accounts.flatMap((account, index) => {
      const { told } = account.limit
      if (told === undefined || told.sentAt <= account.toldAt || told.until <= now) return []
      if (clock.earliestUs(told.sentAt) === 0) return []
      account.toldAt = told.sentAt
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

  /** The engine knows only starts: its window is longer by what an attempt takes to be counted. */
  #windowMs({ window }: SharedLimit): number {
    return Math.ceil(window.windowMs + this.#transitMs)
  }
}

/** The same in every process. It says nothing of the upstream's words. */
function idOf({ name = '', unit, window }: SharedLimit): string {
  const text = JSON.stringify([name, unit, window.windowMs])
  return nodeCrypto('Shared budgets').createHash('sha256').update(text).digest('base64url').slice(0, 11)
}
