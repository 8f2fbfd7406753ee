import { assertValid } from '../gate/check.ts'
import { type AtLeastOptions, checkAtLeast, checkCount, type CountOptions } from './options.ts'
import { probabilityOf, sumDown, sumUp } from './poisson.ts'

/**
 * The probability that more than `limit` calls arrive in one fixed window: P(X > limit) for a Poisson count X of mean `rate`. From 0 to 1.
 * Throws a `ConfigError` for options out of range.
 */
export function overshootProbability(options: CountOptions): number {
  assertValid(checkCount, options, '')
  return probabilityAbove(options.limit, options.rate)
}

/** P(X > limit). Taken from 1 only where it is not small. */
export function probabilityAbove(limit: number, rate: number): number {
  if (limit + 1 < rate) return 1 - probabilityOf(limit, rate) * sumDown(limit, rate).mass
  return probabilityOf(limit + 1, rate) * sumUp(limit + 1, rate).mass
}

/**
 * How many calls arrive in a fixed window in which at least `atLeast` do: E[X | X >= atLeast] for a Poisson count X of mean `rate`. At the
 * rate 0, what it comes near to as the rate does: `atLeast`. Throws a `ConfigError` for options out of range.
 */
export function conditionalMean(options: AtLeastOptions): number {
  assertValid(checkAtLeast, options, '')
  const { rate, atLeast } = options
  // E[X; X >= n] = rate * P(X >= n - 1), and P(X = n - 1) = P(X = n) * n / rate.
  if (atLeast > rate) return rate + atLeast / sumUp(atLeast, rate).mass
  if (atLeast === 0) return rate
  return rate + (rate * probabilityOf(atLeast - 1, rate)) / probabilityAbove(atLeast - 1, rate)
}

/**
 * How many calls find no room in one window of a limiter that starts each window afresh: E[(X - limit)+] for a Poisson count X of mean
 * `rate`. Throws a `ConfigError` for options out of range.
 */
export function expectedRejections(options: CountOptions): number {
  assertValid(checkCount, options, '')
  const { rate, limit } = options
  if (limit >= rate) return probabilityOf(limit + 1, rate) * sumUp(limit + 1, rate).moment
  // (X - limit)+ is X - limit, plus what X falls short of it.
  const short = limit === 0 ? 0 : probabilityOf(limit - 1, rate) * sumDown(limit - 1, rate).moment
  return rate - limit + short
}
