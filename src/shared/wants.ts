import type { Charges } from './accounts.ts'
import type { EngineCall, Want } from './protocol.ts'

/** The charges of each attempt. */
export function flatten(wants: readonly Want[]): Charges[] {
  return wants.flatMap(({ count, charges }) => Array.from({ length: count }, () => charges))
}

/** The longest of the windows that a call is about; 0 where it is about none. */
export function longestWindowUs({ limits }: Pick<EngineCall, 'limits'>): number {
  return limits.reduce((longest, { windowUs }) => Math.max(longest, windowUs), 0)
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
