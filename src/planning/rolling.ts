import { assertValid } from '../gate/check.ts'
import { checkCount, type CountOptions } from './options.ts'
import { probabilityAbove } from './overshoot.ts'
import { probabilityOf, sumDown } from './poisson.ts'

/**
 * How many calls per window find no room in a rolling window, of callers that do not wait: the rolling counterpart of `expectedRejections`. A
 * call that is let in takes one of `limit` places for exactly one window, so it is `rate` times Erlang's B formula, which holds for
 * any time that a place is taken for. Throws a `ConfigError` for options out of range.
 */
export function rollingRejections(options: CountOptions): number {
  assertValid(checkCount, options, '')
  return options.rate * erlangB(options.limit, options.rate)
}

/** Erlang's B formula: P(X = limit) / P(X <= limit) for a Poisson count X of mean `rate`. */
export function erlangB(limit: number, rate: number): number {
  if (limit <= rate) return limit === 0 ? 1 : 1 / sumDown(limit, rate).mass
  return probabilityOf(limit, rate) / (1 - probabilityAbove(limit, rate))
}
