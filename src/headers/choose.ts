import type { Reading } from '../gate/observation.ts'

/** The readings of one source. */
export interface Told {
  readonly common: boolean
  readonly readings: readonly Reading[]
}

/**
 * Each limit once. Of the common families, which tell the same limits in other words, the one that tells most is believed: what is left or
 * used, failing that a limit, or a reset. What it says of no limit in particular is joined to one that has a name and the same counts.
 */
export function choose(told: readonly Told[]): readonly Reading[] {
  if (told.length === 1) return told[0]!.readings
  let best: readonly Reading[] = []
  for (const { common, readings } of told) if (common && worth(readings) > worth(best)) best = readings
  const own = told.flatMap(({ common, readings }) => (common ? [] : readings))
  return joinNamed(best, own)
}

function worth(readings: readonly Reading[]): number {
  return Math.max(0, ...readings.map(worthOf))
}

function worthOf({ limit, remaining, used }: Reading): number {
  const isLeftTold = remaining !== undefined || used !== undefined
  if (isLeftTold) return limit === undefined ? 3 : 4
  return limit === undefined ? 1 : 2
}

function joinNamed(common: readonly Reading[], own: readonly Reading[]): readonly Reading[] {
  const joined = [...own]
  const rest = common.filter((reading) => {
    const index = reading.name === undefined ? joined.findIndex((named) => isSame(named, reading)) : -1
    if (index < 0) return true
    joined[index] = { ...reading, ...joined[index] }
    return false
  })
  return [...rest, ...joined]
}

function isSame(one: Reading, other: Reading): boolean {
  return (
    one.unit === undefined && one.limit === other.limit && one.remaining === other.remaining && one.limit !== undefined
  )
}
