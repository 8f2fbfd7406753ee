import * as check from './check.ts'

/**
 * What one attempt spends. A number is charged to every limit, whatever its unit but `share`. A record is charged by unit; `requests`
 * is 1 and any other unit 0 where the record leaves it out.
 */
export type Weight = number | Readonly<Record<string, number>>

/** The unit of a limit that names none. */
export const REQUESTS = 'requests'

/** The unit of what is told as a part of a quota: nobody knows what one request takes of it. */
const SHARE = 'share'

/** What `weight` spends of a limit counted in `unit`. */
export function chargeOf(weight: Weight, unit: string): number {
  if (typeof weight === 'number') return unit === SHARE ? 0 : weight
  return (Object.hasOwn(weight, unit) ? weight[unit] : undefined) ?? (unit === REQUESTS ? 1 : 0)
}

const checkUnits = check.number({ min: 0, max: Number.MAX_SAFE_INTEGER })
const checkByUnit = check.recordOf(checkUnits)

export const checkWeight: check.Check = (value, path) =>
  typeof value === 'object' ? checkByUnit(value, path) : checkUnits(value, path)

/** A running sum of weights, by unit. */
export class WeightSum {
  #everyUnit = 0
  #byUnit: Map<string, number> | undefined

  add(weight: Weight, sign: 1 | -1): void {
    if (typeof weight === 'number') {
      this.#everyUnit += sign * weight
      return
    }
    this.#byUnit ??= new Map()
    for (const unit of new Set([REQUESTS, ...Object.keys(weight)])) {
      this.#byUnit.set(unit, (this.#byUnit.get(unit) ?? 0) + sign * chargeOf(weight, unit))
    }
  }

  of(unit: string): number {
    return this.#everyUnit + (this.#byUnit?.get(unit) ?? 0)
  }
}
