import type { Limiter } from './limiters.ts'

/** Decides on the calls of all processes, in order of time: when one starts, or undefined where it is refused. */
export type Scheme = (now: number, process: number) => number | undefined

/** Every call goes through the same limiter. */
export function shared(limiter: Limiter): Scheme {
  return (now) => limiter.startOf(now)
}

/** Each process has a limiter of its own. */
export function split(processes: number, limiterOf: () => Limiter): Scheme {
  const limiters = Array.from({ length: processes }, limiterOf)
  return (now, process) => limiters[process]!.startOf(now)
}

/**
 * Each process has a limiter of its own, and with each heartbeat, once a second, the whole limit is divided anew: by what each was asked
 * for in the seconds before, of which the last counts for `weight`.
 */
export function divided(limiters: readonly Limiter[], limit: number, weight: number): Scheme {
  const asked = limiters.map(() => 0)
  const demand = limiters.map(() => limit / limiters.length)
  let second = 0
  const beat = (): void => {
    for (const [process, calls] of asked.entries()) {
      demand[process] = demand[process]! * (1 - weight) + calls * weight
      asked[process] = 0
    }
    for (const [process, share] of sharesOf(limit, demand).entries()) limiters[process]!.limit = share
  }
  return (now, process) => {
    for (; second < Math.floor(now); second += 1) beat()
    asked[process]! += 1
    return limiters[process]!.startOf(now)
  }
}

/** Whole shares in proportion to the demand, the largest remainders rounded up, that add up to the limit. */
export function sharesOf(limit: number, demand: readonly number[]): number[] {
  const total = demand.reduce((sum, each) => sum + each, 0)
  const exact = demand.map((each) => (total === 0 ? limit / demand.length : (limit * each) / total))
  const shares = exact.map(Math.floor)
  const left = limit - shares.reduce((sum, each) => sum + each, 0)
  const byRemainder = exact.map((each, process) => ({ process, remainder: each - Math.floor(each) }))
  byRemainder.sort((one, other) => other.remainder - one.remainder)
  for (const { process } of byRemainder.slice(0, left)) shares[process]! += 1
  return shares
}
