import { type Fault, ConfigError } from './errors.ts'

/**
 * What one attempt spends. A number is charged to every limit, whatever its unit. A record is charged by unit; `requests`
 * is 1 and any other unit 0 where the record leaves it out.
 */
export type Weight = number | Readonly<Record<string, number>>

/** The unit of a limit that names none. */
export const REQUESTS = 'requests'

/** What `weight` spends of a limit counted in `unit`. */
export function chargeOf(weight: Weight, unit: string): number {
  if (typeof weight === 'number') return weight
  return weight[unit] ?? (unit === REQUESTS ? 1 : 0)
}

/** Refuses a weight that is not made of finite numbers of at least 0. */
export function checkWeight(weight: Weight): void {
  if (typeof weight === 'number' && weight >= 0 && weight < Infinity) return
  const faults = weightFaults(weight)
  if (faults.length > 0) throw new ConfigError(faults)
}

function weightFaults(weight: Weight): Fault[] {
  const parts: [string, unknown][] =
    typeof weight === 'object' && weight !== null
      ? Object.entries(weight).map(([unit, value]) => [`weight.${unit}`, value])
      : [['weight', weight]]
  return parts
    .filter(([, value]) => !(typeof value === 'number' && value >= 0 && value < Infinity))
    .map(([option, value]) => ({ option, value, expected: 'a finite number of at least 0' }))
}

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
