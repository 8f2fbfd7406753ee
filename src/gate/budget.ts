import type { Attempt, Attempts } from './attempts.ts'
import { LearnedLimit, LONGEST_RESET_MS } from './learned-limit.ts'
import { type Block, type Demand, type Limit, type LimitSnapshot, type LimitState, longer } from './limit.ts'
import { isLike, limitOf, savedLike } from './matching.ts'
import type { Observation, Reading } from './observation.ts'
import type { SavedLimit } from './saved.ts'
import type { PartOf } from './share.ts'
import { chargeOf, REQUESTS, type Weight } from './weight.ts'
import type { Charge } from './window.ts'
import { type Sharing, WindowLimit } from './window-limit.ts'

/** Limits that an upstream's readings may add to a gate; what it states beyond them is not followed. */
const MAX_LEARNED = 16

/**
 * All limits of a gate. An attempt is charged to all of them or to none. What every call does goes through them by index: the compiler
 * makes so much more of `for (const limit of ...)` that the rest of the call's way is not inlined.
 */
export class Budget {
  readonly #limits: LimitState[]
  /** How many of them are configured. */
  readonly #configured: number
  readonly #fairShare: boolean
  /** Made when other processes draw on the budget, for all its limits. */
  #made: Sharing | undefined

  constructor(limits: readonly Limit[], fairShare: boolean) {
    this.#limits = limits.map((limit) => new WindowLimit(limit, limit.limit, fairShare))
    this.#configured = limits.length
    this.#fairShare = fairShare
  }

  /** Whether no window holds any weight. One of unknown length holds it for ever, and tells nothing by that. */
  get holdsNothing(): boolean {
    return this.#limits.every(({ window }) => window.held === 0 || window.windowMs === Infinity)
  }

  /** Whether one attempt may have to go alone to bring a reading. */
  get guesses(): boolean {
    return this.#limits.some((limit) => limit instanceof LearnedLimit)
  }

  get bytes(): number {
    return this.#limits.reduce((sum, { window }) => sum + window.bytes, 0)
  }

  /** Limits that other processes can draw on too. */
  get shared(): WindowLimit[] {
    return this.#limits.filter((limit) => limit instanceof WindowLimit)
  }

  /** Whether readings are judged where it is known what all processes have sent. */
  judgeElsewhere(judgedElsewhere: boolean): void {
    this.#sharing.judgedElsewhere = judgedElsewhere
  }

  /** Bounds own weight to its part of each limit. */
  bind(partOf: PartOf | undefined): void {
    this.#sharing.partOf = partOf
  }

  /** How many of these attempts fit beside each other, in order; one at least. */
  fitting(weights: readonly Weight[]): number {
    return this.shared.reduce((least, { window, unit, ownLimit = Infinity }) => {
      let held = window.held
      const over = weights.findIndex((weight) => (held += chargeOf(weight, unit)) > ownLimit)
      return over === -1 ? least : Math.min(least, Math.max(1, over))
    }, weights.length)
  }

  never(weight: Weight): boolean {
    for (let index = 0; index < this.#limits.length; index += 1) {
      const limit = this.#limits[index]!
      if (limit.never(chargeOf(weight, limit.unit))) return true
    }
    return false
  }

  /** Lets time pass. True where a reading that showed foreign use has gone stale. */
  advance(now: number): boolean {
    let stale = false
    for (let index = 0; index < this.#limits.length; index += 1) stale = this.#limits[index]!.advance(now) || stale
    return stale
  }

  /** Charges an attempt to every limit. */
  send(attempt: Attempt): void {
    for (let index = 0; index < this.#limits.length; index += 1) chargeTo(this.#limits[index]!, attempt)
  }

  count(attempt: Attempt, at: number): void {
    for (let charge = attempt.charges; charge; charge = charge.next) charge.window.count(at, charge.weight)
  }

  correct(attempt: Attempt, weight: Weight): void {
    this.#recharge(attempt, ({ unit }) => chargeOf(weight, unit))
  }

  /** What the attempt has cost in some units is known. */
  spent(attempt: Attempt, cost: Readonly<Record<string, number>>): void {
    this.#recharge(attempt, ({ unit }, before) => (Object.hasOwn(cost, unit) ? cost[unit]! : before))
  }

  /** A limit learned since it was counted knows nothing of an attempt. */
  #recharge(attempt: Attempt, chargeFor: (limit: LimitState, before: number) => number): void {
    for (const limit of this.#limits) {
      const charge = chargeIn(limit, attempt)
      if (charge === undefined) continue
      const before = charge.weight
      const after = chargeFor(limit, before)
      if (after !== before && limit.window.correct(charge, after, attempt.countedAt))
        limit.corrected(attempt, after - before)
    }
  }

  /**
   * Takes the readings in the answer to `attempt`. `overrules` says that they count for more than those of attempts sent later. A limit
   * that is new has to know which of `attempts` are not counted.
   */
  read(
    { limits: readings, throttled, tellsNothing }: Observation,
    attempt: Attempt,
    at: number,
    overrules: boolean,
    attempts: Attempts,
  ): void {
    const { order, sentAt, probe } = attempt
    const spokenOf = readings.map((reading) => this.#limitFor(believed(reading), attempts))
    spokenOf.forEach((limit, index) =>
      limit?.read(readings[index]!, { order, sentAt, at, charge: chargeIn(limit, attempt), overrules }),
    )
    if (throttled || tellsNothing) return
    for (const limit of this.#limits) if (!spokenOf.includes(limit)) limit.silent(order, probe)
  }

  /** Forgets every reading: the upstream refused the attempt of this place without saying what is left. */
  forget(order: number): void {
    for (const limit of this.#limits) limit.forget(order)
  }

  /** What holds an attempt back the longest. */
  block(weight: Weight, demand: Demand): Block | undefined {
    let longest: Block | undefined
    for (let index = 0; index < this.#limits.length; index += 1) {
      const limit = this.#limits[index]!
      longest = longer(longest, limit.block(chargeOf(weight, limit.unit), demand))
    }
    return longest
  }

  /** When an attempt will fit behind all that is queued before it. */
  projectAt(weight: Weight, weightAhead: (unit: string) => number, now: number): number {
    return this.#limits.reduce((latest, limit) => {
      const at = limit.projectAt(chargeOf(weight, limit.unit), weightAhead(limit.unit), now)
      return Math.max(latest, at)
    }, now)
  }

  /** How long a throttled answer's own readings park the gate; undefined where none says that less is left than it weighs. */
  parkUntil({ limits }: Observation, weight: Weight, now: number, floorMs: number): number | undefined {
    const untils = limits.flatMap((reading) => {
      const limit = limitOf(believed(reading), this.#limits)
      if (limit === undefined || !leavesLess(reading, chargeOf(weight, limit.unit))) return []
      return [limit.parkUntil(reading, now, floorMs)]
    })
    return untils.length === 0 ? undefined : Math.max(...untils)
  }

  /** The part of its tightest window that an attempt of this weight uses up, in milliseconds. */
  spacingMs(weight: Weight): number {
    return this.#limits.reduce((longest, { window, unit, ownLimit }) => {
      if (!ownLimit || window.windowMs === Infinity) return longest
      return Math.max(longest, (window.windowMs / ownLimit) * chargeOf(weight, unit))
    }, 0)
  }

  snapshot(now: number): LimitSnapshot[] {
    return this.#limits.map((limit) => limit.snapshot(now))
  }

  /** `uncounted` are those that the upstream may not have counted yet, `countedBy` by when it certainly has. */
  save(now: number, uncounted: readonly Attempt[], countedBy: (attempt: Attempt) => number): SavedLimit[] {
    return this.#limits.flatMap((limit, index) => {
      if (index >= this.#configured && !isOfOurWords(limit)) return []
      const sent = uncounted.map((each) => [countedBy(each), chargeIn(limit, each)!.weight] as const)
      return [limit.save(now, [...limit.window.counted, ...sent])]
    })
  }

  /** Each limit goes on from the saved one that is most like it, and those that were learned are known again. */
  restore(saved: readonly SavedLimit[], savedAt: number, transitMs: number, attempts: Attempts): void {
    const known = [...this.#limits]
    for (const limit of known) {
      const before = savedLike(limit, saved)
      if (before) limit.restore(before, savedAt, transitMs)
    }
    for (const each of saved) {
      if (each.source !== 'learned' || known.some((limit) => isLike(limit, each))) continue
      const limit = each.left
        ? new LearnedLimit({ ...each, windowMs: each.guessed ? undefined : each.windowMs })
        : learn(each, each.stated, this.#fairShare)
      this.#add(limit, attempts)?.restore(each, savedAt, transitMs)
    }
  }

  get #sharing(): Sharing {
    if (this.#made) return this.#made
    this.#made = { judgedElsewhere: false, partOf: undefined }
    for (const limit of this.shared) limit.sharing = this.#made
    return this.#made
  }

  #limitFor(reading: Reading, attempts: Attempts): LimitState | undefined {
    const known = limitOf(reading, this.#limits)
    if (known || !statesBudget(reading)) return known
    return this.#add(learn(reading, reading.limit, this.#fairShare), attempts)
  }

  /** Takes in a limit that is new; undefined where there are too many. */
  #add(limit: LimitState, attempts: Attempts): LimitState | undefined {
    if (this.#limits.length === this.#configured + MAX_LEARNED) return undefined
    this.#limits.push(limit)
    if (limit instanceof WindowLimit) limit.sharing = this.#made
    for (const attempt of attempts.uncounted()) chargeTo(limit, attempt)
    return limit
  }
}

function chargeTo(limit: LimitState, attempt: Attempt): void {
  const weight = chargeOf(attempt.weight, limit.unit)
  attempt.charges = limit.window.send(attempt.sentAt, weight, attempt.charges)
  limit.sent(attempt, weight)
}

/** What an attempt spends of a limit; undefined where the limit was learned after it was counted. */
function chargeIn({ window }: LimitState, { charges }: Attempt): Charge | undefined {
  let charge = charges
  while (charge && charge.window !== window) charge = charge.next
  return charge
}

/** Neither its name nor its unit is the upstream's text. */
function isOfOurWords({ name, unit }: LimitState): boolean {
  return name === undefined && unit === REQUESTS
}

/** Of a limit whose number is not stated only what is left can be gone by. */
function learn(
  reading: Pick<Reading, 'name' | 'unit' | 'windowMs' | 'kind'>,
  limit: number | undefined,
  fairShare: boolean,
): LimitState {
  const { windowMs } = reading
  if (windowMs === undefined || limit === undefined) return new LearnedLimit(reading)
  return new WindowLimit({ ...reading, windowMs }, Infinity, fairShare)
}

/** A window longer than the longest that is believed is taken as not stated. */
function believed(reading: Reading): Reading {
  if ((reading.windowMs ?? 0) <= LONGEST_RESET_MS) return reading
  const { windowMs: _, ...rest } = reading
  return rest
}

function statesBudget({ limit, remaining, used }: Reading): boolean {
  return limit !== undefined || remaining !== undefined || used !== undefined
}

function leavesLess({ limit, remaining, used }: Reading, weight: number): boolean {
  const left = remaining ?? (limit ?? Infinity) - (used ?? -Infinity)
  return left < weight
}
