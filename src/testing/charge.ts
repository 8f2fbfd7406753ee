/**
 * What a request is charged: a number to every limit, or a record by the limits' units, in which `requests` is 1 and any
 * other unit 0 where it is left out.
 */
export type Charge = number | Readonly<Record<string, number>>

/** The unit of a limit that names none. */
export const REQUESTS = 'requests'

/** What `charge` comes to in `unit`. */
export function chargeIn(unit: string, charge: Charge): number {
  if (typeof charge === 'number') return charge
  return charge[unit] ?? (unit === REQUESTS ? 1 : 0)
}
