import { TrailingWindow } from './trailing-window.ts'

/** How an upstream counts one of its limits. */
export interface MeterOptions {
  /**
   * `rolling`: at most `limit` in any trailing window `(t - windowMs, t]`. `fixed`: at most `limit` in each window that
   * begins at a multiple of `windowMs` from `anchorMs`. `token-bucket`: holds `limit` tokens, full at first, refilled
   * evenly by `limit` per `windowMs`. Default `rolling`.
   */
  kind?: 'rolling' | 'fixed' | 'token-bucket'
  /** Units of weight. 0 refuses all. */
  limit: number
  windowMs: number
  /** Where the windows of `fixed` are anchored, on the meter's own time scale, in ms. Default 0. */
  anchorMs?: number
  /** Whether a refused request is counted too, which lets `remaining` go below 0. Default false. */
  countRefused?: boolean
  /** What is counted, for what weighs requests and for the functions that write headers. Default `requests`. */
  unit?: string
  /** A name for the functions that write headers; no meaning here. */
  name?: string
}

/** What a meter says at one instant. */
export interface MeterReading {
  limit: number
  /** `limit - used`, in whole tokens for a bucket. Below 0 where refused requests are counted and overshoot. */
  remaining: number
  used: number
  /** Until the oldest unit leaves (rolling), the window ends (fixed), or the bucket is full, in ms. */
  resetInMs: number
  windowMs: number
  unit?: string
  name?: string
}

export interface Meter {
  readonly options: Readonly<MeterOptions>
  /** Whether a request of `weight` would be let in. Counts nothing. */
  allows(nowMs: number, weight: number): boolean
  /** Counts a request that was let in or not; a refused one counts only with `countRefused`, one of weight 0 never. */
  count(nowMs: number, weight: number, allowed: boolean): void
  read(nowMs: number): MeterReading
  /** Decides, counts and reads. Every method is O(1) amortised. Instants must not run backwards. */
  take(nowMs: number, weight: number): MeterReading & { allowed: boolean }
}

/** What differs between the kinds: how much is used, when that ends, and how more is added. */
interface Account {
  used(nowMs: number): number
  resetInMs(nowMs: number): number
  add(nowMs: number, weight: number): void
}

function rolling({ windowMs }: MeterOptions): Account {
  const window = new TrailingWindow(windowMs)
  return {
    used: (nowMs) => window.sum(nowMs),
    resetInMs: (nowMs) => window.oldestLeavesInMs(nowMs),
    add: (nowMs, weight) => window.add(nowMs, weight),
  }
}

function fixed({ windowMs, anchorMs = 0 }: MeterOptions): Account {
  const windowAt = (nowMs: number): number => Math.floor((nowMs - anchorMs) / windowMs)
  let current = -Infinity
  let used = 0
  const turn = (nowMs: number): void => {
    const window = windowAt(nowMs)
    if (window > current) used = 0
    current = Math.max(current, window)
  }
  return {
    used: (nowMs) => {
      turn(nowMs)
      return used
    },
    resetInMs: (nowMs) => anchorMs + (windowAt(nowMs) + 1) * windowMs - nowMs,
    add: (nowMs, weight) => {
      turn(nowMs)
      used += weight
    },
  }
}

/** Forgives the rounding of a refill, or one due exactly now could come out a hair short. */
const TOKEN_SLACK = 1e-6

function tokenBucket({ limit, windowMs }: MeterOptions): Account {
  let used = 0
  let atMs: number | undefined
  const refill = (nowMs: number): number => {
    used = Math.max(0, used - ((nowMs - (atMs ?? nowMs)) * limit) / windowMs)
    atMs = nowMs
    return used
  }
  return {
    used: (nowMs) => Math.max(0, Math.ceil(refill(nowMs) - TOKEN_SLACK)),
    resetInMs: (nowMs) => (limit === 0 ? 0 : (refill(nowMs) * windowMs) / limit),
    add: (nowMs, weight) => {
      used = refill(nowMs) + weight
    },
  }
}

const accounts = { rolling, fixed, 'token-bucket': tokenBucket }

/**
 * A meter as an upstream keeps it.
 * @throws RangeError if `limit` is negative, `windowMs` is not above 0, or either is not finite.
 */
export function createMeter(options: MeterOptions): Meter {
  const { kind = 'rolling', limit, windowMs, countRefused = false, unit, name } = options
  if (!(limit >= 0 && limit < Infinity)) throw new RangeError(`limit must be a finite number >= 0, is ${limit}`)
  if (!(windowMs > 0 && windowMs < Infinity)) throw new RangeError(`windowMs must be finite and > 0, is ${windowMs}`)
  const account = accounts[kind](options)
  const labels = { ...(unit !== undefined && { unit }), ...(name !== undefined && { name }) }
  const meter: Meter = {
    options,
    allows: (nowMs, weight) => account.used(nowMs) + weight <= limit,
    count(nowMs, weight, allowed) {
      if (weight !== 0 && (allowed || countRefused)) account.add(nowMs, weight)
    },
    read(nowMs) {
      const used = account.used(nowMs)
      return { limit, remaining: limit - used, used, resetInMs: account.resetInMs(nowMs), windowMs, ...labels }
    },
    take(nowMs, weight) {
      const allowed = meter.allows(nowMs, weight)
      meter.count(nowMs, weight, allowed)
      return { allowed, ...meter.read(nowMs) }
    },
  }
  return meter
}
