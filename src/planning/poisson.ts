/**
 * Sums over the probabilities of a Poisson count, in units of the probability that they start at. Only positive terms are added, so that
 * nothing cancels, and none over- or underflows, whatever the rate. They end after some multiple of the square root of the rate.
 */
export interface Sums {
  /** The probabilities, the first being 1. */
  mass: number
  /** The same, each multiplied by its place: the first by 1, the second by 2. */
  moment: number
}

/** The counts from `count` up. Wants `count >= rate`, from where on probabilities fall. */
export function sumUp(count: number, rate: number): Sums {
  return sumWhile((place) => rate / (count + place))
}

/** The counts from `count` down to 0. Wants `count <= rate`, from where down probabilities fall. */
export function sumDown(count: number, rate: number): Sums {
  return sumWhile((place) => (count + 1 - place) / rate)
}

/** Beyond this share of the sum what is left of it does not show, however slowly it falls. */
const NEGLIGIBLE = 1e-22

/** `ratio` is a probability as a multiple of the one before. */
function sumWhile(ratio: (place: number) => number): Sums {
  let mass = 1
  let moment = 1
  let term = 1
  for (let place = 1; term * place > moment * NEGLIGIBLE; place += 1) {
    term *= ratio(place)
    mass += term
    moment += term * (place + 1)
  }
  return { mass, moment }
}

/**
 * P(X = count) for a Poisson count of mean `rate`, by Loader's saddle-point expansion: the exponent is small where the probability is not, so
 * that no digits are lost in it. Wants a rate above 0, or a count. (C. Loader, Fast and accurate computation of binomial probabilities, 2000.)
 */
export function probabilityOf(count: number, rate: number): number {
  if (count < SMALL) return Math.exp(count * Math.log(rate) - rate - Math.log(factorial(count)))
  return Math.exp(-stirlingError(count) - deviance(count, rate)) / Math.sqrt(2 * Math.PI * count)
}

/** Below it a factorial is exact, and from it on the series of `stirlingError` is. */
const SMALL = 16

function factorial(count: number): number {
  return count < 2 ? 1 : count * factorial(count - 1)
}

/** The logarithm of `count!`, less that of Stirling's formula. */
function stirlingError(count: number): number {
  const square = count * count
  return (1 / 12 - (1 / 360 - (1 / 1260 - 1 / 1680 / square) / square) / square) / count
}

/** `count * ln(count / rate) + rate - count`, without the cancellation where the two are close. */
function deviance(count: number, rate: number): number {
  const difference = count - rate
  const closeness = difference / (count + rate)
  if (Math.abs(closeness) > 0.1) return count * Math.log(count / rate) - difference
  let sum = difference * closeness
  let term = 2 * count * closeness
  for (let odd = 3; ; odd += 2) {
    term *= closeness * closeness
    const next = sum + term / odd
    if (next === sum) return sum
    sum = next
  }
}
