import type { Charges } from './accounts.ts'
import type { Want } from './protocol.ts'

/** The charges of each attempt. */
export function flatten(wants: readonly Want[]): Charges[] {
  return wants.flatMap(({ count, charges }) => Array.from({ length: count }, () => charges))
}

/** Attempts in runs of the same charges. */
export function runsOf(wanted: readonly Charges[]): Want[] {
  const runs: { count: number; charges: Charges }[] = []
  for (const charges of wanted) {
    const last = runs.at(-1)
    if (last && last.charges.every((charge, index) => charge === charges[index])) last.count += 1
    else runs.push({ count: 1, charges })
  }
  return runs
}
