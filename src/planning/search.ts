/** The smallest whole number from 0 to `most` that is enough, given that every larger one is, too. Undefined where none is. */
export function smallest(most: number, isEnough: (candidate: number) => boolean): number | undefined {
  let low = 0
  let high = 0
  while (!isEnough(high)) {
    if (high === most) return undefined
    low = high + 1
    high = Math.min(most, 2 * high + 1)
  }
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (isEnough(middle)) high = middle
    else low = middle + 1
  }
  return high
}
