import { linearRegression, median, quantile } from 'simple-statistics'

export { median, quantile }

/** How often the other goes into one: each round is compared with the round beside it, so that a machine that slows down slows both. */
export function medianRatio(one: readonly number[], other: readonly number[]): number {
  return median(one.map((value, round) => value / other[round]!))
}

/** The `k` of the `total = c * size ^ k` that fits best: 1 for what grows with the work, 2 for what grows with its square. */
export function exponent(points: readonly { size: number; total: number }[]): number {
  return linearRegression(points.map(({ size, total }) => [Math.log(size), Math.log(total)])).m
}
