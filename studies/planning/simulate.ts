/** Calls of a fleet as a Poisson stream, through a scheme of limiters and on to an upstream that meters them. */
import { createRandom, type Random } from '../../src/random.ts'
import { FixedWindow, RollingWindow } from './limiters.ts'
import type { Scheme } from './schemes.ts'

export interface Fleet {
  /** Calls a second. */
  rate: number
  /** The share of the calls that each process gets. */
  traffic: readonly number[]
  scheme: Scheme
  /** Whether and where a call that is refused makes its second attempt. */
  retry?: 'same' | 'other' | 'later'
  /** What the upstream allows per second. */
  limit: number
}

/** Numbers per second. */
export interface Result {
  /** Attempts that a limiter refused. */
  refused: Estimate
  /** Calls of which every attempt was refused. */
  failed: Estimate
  /** Calls that the upstream refuses if it counts afresh each second. */
  throttledFixed: Estimate
  /** Calls that the upstream refuses if its window rolls. */
  throttledRolling: Estimate
  calls: number
}

export interface Estimate {
  mean: number
  standardError: number
}

interface Call {
  at: number
  process: number
  attempt: number
}

const BATCHES = 64

/** How long after a refusal a call is tried again, where that is later, in seconds. */
const LATER = 1.5

export function simulate(fleet: Fleet, seconds: number, seed: number): Result {
  const batchSeconds = Math.ceil(seconds / BATCHES)
  const tally = new Tally(fleet.limit, batchSeconds)
  const random = createRandom(seed)
  let fresh = nextCall(fleet, random, 0)
  const again: Call[] = []
  while (fresh.at < batchSeconds * BATCHES) {
    const old = again[0] && again[0].at <= fresh.at ? again.shift() : undefined
    const call = old ?? fresh
    if (!old) fresh = nextCall(fleet, random, fresh.at)
    attempt(call, fleet, tally, random, again)
  }
  return tally.result()
}

function nextCall({ rate, traffic }: Fleet, random: Random, after: number): Call {
  return { at: after - Math.log(1 - random()) / rate, process: pick(traffic, random()), attempt: 1 }
}

function pick(traffic: readonly number[], point: number): number {
  let process = 0
  for (let left = point - traffic[0]!; left >= 0 && process < traffic.length - 1; left -= traffic[process]!)
    process += 1
  return process
}

function attempt(call: Call, fleet: Fleet, tally: Tally, random: Random, again: Call[]): void {
  const { at, process } = call
  if (call.attempt === 1) tally.count('calls', at)
  const start = fleet.scheme(at, process)
  if (start !== undefined) return tally.send(start)
  tally.count('refused', at)
  if (!fleet.retry || call.attempt === 2) return tally.count('failed', at)
  const next = { at, process, attempt: 2 }
  if (fleet.retry === 'same') return attempt(next, fleet, tally, random, again)
  const other = { ...next, process: otherThan(process, fleet.traffic.length, random) }
  if (fleet.retry === 'other') return attempt(other, fleet, tally, random, again)
  again.push({ ...other, at: at + LATER })
}

function otherThan(process: number, processes: number, random: Random): number {
  return (process + 1 + Math.floor(random() * (processes - 1))) % processes
}

type Counted = 'calls' | 'refused' | 'failed' | 'throttledFixed' | 'throttledRolling'

class Tally {
  readonly #batches: Record<Counted, Float64Array> = {
    calls: new Float64Array(BATCHES),
    refused: new Float64Array(BATCHES),
    failed: new Float64Array(BATCHES),
    throttledFixed: new Float64Array(BATCHES),
    throttledRolling: new Float64Array(BATCHES),
  }
  readonly #fixed: FixedWindow
  readonly #rolling: RollingWindow
  readonly #batchSeconds: number

  constructor(limit: number, batchSeconds: number) {
    this.#fixed = new FixedWindow(limit)
    this.#rolling = new RollingWindow(limit)
    this.#batchSeconds = batchSeconds
  }

  count(what: Counted, at: number): void {
    const batch = Math.floor(at / this.#batchSeconds)
    if (batch < BATCHES) this.#batches[what][batch]! += 1
  }

  send(start: number): void {
    if (this.#fixed.startOf(start) === undefined) this.count('throttledFixed', start)
    if (this.#rolling.startOf(start) === undefined) this.count('throttledRolling', start)
  }

  result(): Result {
    const perSecond = (what: Counted): Estimate =>
      estimate([...this.#batches[what]].map((count) => count / this.#batchSeconds))
    return {
      refused: perSecond('refused'),
      failed: perSecond('failed'),
      throttledFixed: perSecond('throttledFixed'),
      throttledRolling: perSecond('throttledRolling'),
      calls: this.#batches.calls.reduce((sum, each) => sum + each, 0),
    }
  }
}

/** Mean and standard error of batches. */
export function estimate(batches: readonly number[]): Estimate {
  const mean = batches.reduce((sum, each) => sum + each, 0) / batches.length
  const squares = batches.reduce((sum, each) => sum + (each - mean) ** 2, 0)
  return { mean, standardError: Math.sqrt(squares / (batches.length - 1) / batches.length) }
}

/** Over seconds: the share of those with more than `limit` calls, and how many there were in them on average. */
export function countSeconds(rate: number, limit: number, seconds: number, seed: number) {
  const random = createRandom(seed)
  const over: number[] = []
  let at = -Math.log(1 - random()) / rate
  for (let second = 1; second <= seconds; second += 1) {
    let count = 0
    for (; at < second; at -= Math.log(1 - random()) / rate) count += 1
    if (count > limit) over.push(count)
  }
  const share = over.length / seconds
  const overshoot: Estimate = { mean: share, standardError: Math.sqrt((share * (1 - share)) / seconds) }
  return { overshoot, conditional: estimate(over) }
}
