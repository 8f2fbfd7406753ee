import { distanceOf, type SavedPark } from './saved.ts'
import type { SharedPark } from './share.ts'

/** How a gate cools down. All in milliseconds. */
export interface Cooldown {
  /** Shortest park where the upstream gave no hint, and the first ceiling of its draw. Default 60 000, 1 to 86 400 000. */
  baseMs?: number
  /** Longest park, hinted or not. Default 600 000, at least `baseMs`. */
  maxMs?: number
  /** Shortest park where the response states what is left but gives no hint. Default 5 000. */
  parkMs?: number
}

/** A throttled answer, as far as the park is concerned. */
export interface Throttle {
  now: number
  /** Place of the attempt in the order of sending. */
  order: number
  /** The upstream's hint; absent for none. 0 is no hint. */
  retryAfterMs: number | undefined
  /** Until when the answer's own reading parks the gate: `now` or earlier for not at all, undefined where it carries none. */
  readingUntil: number | undefined
  /** In [0, 1). */
  random: number
}

/**
 * The gate shut until an instant, and the one attempt that finds out whether the upstream has recovered. Only the answer to
 * that attempt reopens; a park is lengthened by a later hint and never shortened.
 */
export class Park {
  readonly #cooldown: Required<Cooldown>
  #state: 'open' | 'parked' | 'probing' = 'open'
  #until = -Infinity
  #hinted = false
  #ceilingMs: number
  /** Attempts up to this place were sent before the park: their answers are older news than it. */
  #sentBefore = -1
  #probe = -1
  /** The park was broken by a probe before its end, and neither ended nor opened since. */
  #broken = false

  constructor(cooldown: Required<Cooldown>) {
    this.#cooldown = cooldown
    this.#ceilingMs = cooldown.baseMs
  }

  get until(): number {
    return this.#until
  }

  get state(): 'open' | 'parked' | 'probing' {
    return this.#state
  }

  /** The upstream said itself when to come back: its readings do not hold the probe. */
  get hinted(): boolean {
    return this.#hinted
  }

  get ceilingMs(): number {
    return this.#ceilingMs
  }

  /** A probe has gone before the park's end. */
  get broken(): boolean {
    return this.#broken
  }

  /** Whether an attempt may break the park before its end: once, whoever asks. */
  mayBreak(now: number): boolean {
    return this.#state === 'parked' && now < this.#until && !this.#broken
  }

  /** The gate has opened again since an attempt of this place was sent: its answer is older news than that. */
  isStale(order: number): boolean {
    return this.#state === 'open' && order <= this.#sentBefore
  }

  isProbe(order: number): boolean {
    return this.#state === 'probing' && order === this.#probe
  }

  /** Takes a throttled answer; `lastOrder` is the attempt sent last. */
  throttled(throttle: Throttle, lastOrder: number): void {
    const failedProbe = this.isProbe(throttle.order)
    if (failedProbe) this.#ceilingMs = Math.min(this.#ceilingMs * 2, this.#cooldown.maxMs)
    else if (this.#state !== 'open' || this.isStale(throttle.order)) return this.#lengthen(throttle, lastOrder)
    const earliest = failedProbe ? throttle.now + this.#cooldown.parkMs : throttle.now
    const until = Math.max(this.#untilFor(throttle), hintOf(throttle) === undefined ? earliest : throttle.now)
    if (until > throttle.now) this.#parkUntil(until, lastOrder, hintOf(throttle) !== undefined)
  }

  /** Shuts the gate on the upstream's word to another one, as for a limit that is wider than one partition. */
  extend(until: number, lastOrder: number): void {
    this.#parkUntil(until, lastOrder, true)
  }

  /** Takes over the park that another process was told to make. */
  take({ until, hinted, ceilingMs, broken }: Omit<SharedPark, 'state'>, lastOrder: number): void {
    if (this.#state === 'probing') return
    this.#parkUntil(until, lastOrder, hinted)
    this.#ceilingMs = Math.min(Math.max(ceilingMs, this.#ceilingMs), this.#cooldown.maxMs)
    this.#broken ||= broken
  }

  /** An attempt is let through while the gate is parked: it is the probe. */
  probe(order: number, now: number): void {
    this.#broken = now < this.#until
    this.#state = 'probing'
    this.#probe = order
  }

  /** An answer that does not throttle. True where it reopens the gate. */
  answered(order: number): boolean {
    if (!this.isProbe(order)) return false
    this.reopen()
    return true
  }

  /** The probe ended without an answer: another caller may probe. */
  probeLost(): void {
    this.#state = 'parked'
  }

  /** A probe was answered, this process's or another's. */
  reopen(): void {
    this.#broken = false
    this.#state = 'open'
    this.#until = -Infinity
    this.#hinted = false
    this.#ceilingMs = this.#cooldown.baseMs
  }

  save(now: number): SavedPark | undefined {
    if (this.#state === 'open') return undefined
    return {
      forMs: distanceOf(this.#until - now),
      ceilingMs: this.#ceilingMs,
      ...(this.#hinted && { hinted: true }),
      ...(this.#broken && { broken: true }),
    }
  }

  /** Goes on with a park of another process, its probe to come. One that probes already finds out more than that. */
  restore({ forMs, ceilingMs, hinted = false, broken = false }: SavedPark, savedAt: number, lastOrder: number): void {
    if (this.#state === 'probing') return
    const { baseMs, maxMs } = this.#cooldown
    this.#parkUntil(savedAt + Math.min(forMs, maxMs), lastOrder, hinted)
    this.#ceilingMs = Math.min(Math.max(ceilingMs, this.#ceilingMs, baseMs), maxMs)
    this.#broken = broken
  }

  #lengthen(throttle: Throttle, lastOrder: number): void {
    const hint = hintOf(throttle)
    if (hint === undefined) return
    const until = throttle.now + Math.min(hint, this.#cooldown.maxMs)
    if (this.#state === 'open') this.#parkUntil(until, lastOrder, true)
    else this.#until = Math.max(until, this.#until)
  }

  #parkUntil(until: number, lastOrder: number, hinted: boolean): void {
    this.#state = 'parked'
    this.#until = Math.max(this.#until, until)
    this.#hinted = hinted
    this.#sentBefore = lastOrder
  }

  #untilFor(throttle: Throttle): number {
    const hint = hintOf(throttle)
    if (hint !== undefined) return throttle.now + Math.min(hint, this.#cooldown.maxMs)
    if (throttle.readingUntil !== undefined) return throttle.readingUntil
    const { baseMs } = this.#cooldown
    return throttle.now + baseMs + throttle.random * (this.#ceilingMs - baseMs)
  }
}

/** Only a positive hint is one. */
function hintOf({ retryAfterMs }: Throttle): number | undefined {
  return (retryAfterMs ?? 0) > 0 ? retryAfterMs : undefined
}
