/** Jain's index of fairness: 1 where all have the same, 1/n where one of n has everything. */
export function jain(shares: readonly number[]): number {
  const sum = shares.reduce((all, each) => all + each, 0)
  const squares = shares.reduce((all, each) => all + each ** 2, 0)
  return sum ** 2 / (shares.length * squares)
}
