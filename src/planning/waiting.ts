import { assertValid } from '../gate/check.ts'
import { createRandom } from '../random.ts'
import { assertWait, checkWaiting, type WaitingOptions } from './options.ts'
import { erlangB } from './rolling.ts'

/** Calls that are refused although they would wait. */
export interface WaitingRejections {
  /** Calls per window that are refused. */
  rejections: number
  /** Standard error of `rejections`: they are simulated. 0 where nobody waits, which is computed. */
  standardError: number
}

/**
 * How many calls per window are refused by a rolling window whose callers wait for room, first come, first served, for up to `maxWaitMs`. One
 * that would wait longer is refused at once and takes no room. There is no closed form (it is the queue M/D/c with bounded
 * waits): the result is that of a simulation with a fixed seed, so that the same options give the same numbers. It makes half a million calls
 * and 32 times the limit, some 10 to 100 ms; shares of refused calls below 1e-5 come out as 0 or nearly so. Throws a `ConfigError`
 * for options out of range.
 */
export function waitingRejections(options: WaitingOptions): WaitingRejections {
  assertValid(checkWaiting, options, '')
  const { rate, limit, windowMs = 1_000, maxWaitMs } = options
  assertWait(maxWaitMs, windowMs)
  const { share, standardError } = refusedOfWaiting({ rate, limit, maxWait: maxWaitMs / windowMs })
  return { rejections: rate * share, standardError: rate * standardError }
}

/** One limiter; the time for which it holds a call is the unit of time. */
export interface Queue {
  rate: number
  limit: number
  maxWait: number
}

/** Of the calls made, those that are refused. */
export interface RefusedShare {
  share: number
  standardError: number
}

export function refusedOfWaiting({ rate, limit, maxWait }: Queue): RefusedShare {
  if (rate === 0 || limit === 0 || maxWait === 0) return { share: erlangB(limit, rate), standardError: 0 }
  return meanOf(simulate({ rate, limit, maxWait }))
}

const SEED = 1

/** The calls are made in batches, whose differences tell the standard error. */
const BATCHES = 32

/** The share of calls that are refused, by batch. */
function simulate({ rate, limit, maxWait }: Queue): number[] {
  const random = createRandom(SEED)
  const starts = startsBefore({ rate, limit, maxWait })
  const calls = Math.ceil((500_000 + 32 * limit) / BATCHES)
  const shares: number[] = []
  let now = 0
  let oldest = 0
  for (let batch = 0; batch < BATCHES; batch += 1) {
    let refused = 0
    for (let call = 0; call < calls; call += 1) {
      now -= Math.log(1 - random()) / rate
      // In order of arrival: a call starts when the one `limit` before it is let go.
      const start = Math.max(now, starts[oldest]! + 1)
      if (start - now > maxWait) refused += 1
      else {
        starts[oldest] = start
        oldest = oldest + 1 === limit ? 0 : oldest + 1
      }
    }
    shares.push(refused / calls)
  }
  return shares
}

/** When the calls before the first started, oldest first: evenly, and where calls pile up as if each had waited as long as it may. */
function startsBefore({ rate, limit, maxWait }: Queue): Float64Array {
  const latest = rate < limit ? 0 : maxWait
  return Float64Array.from({ length: limit }, (_, index) => latest - (limit - 1 - index) / limit)
}

function meanOf(shares: readonly number[]): RefusedShare {
  const share = shares.reduce((sum, each) => sum + each, 0) / shares.length
  const squares = shares.reduce((sum, each) => sum + (each - share) ** 2, 0)
  return { share, standardError: Math.sqrt(squares / (shares.length - 1) / shares.length) }
}
