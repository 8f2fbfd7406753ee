/**
 * Ten million calls and more through every scheme of `docs/planning.md`, beside what `headgate/planning` computes. Exits with 1 where the two
 * are more than 3 standard errors apart.
 */
import Table from 'cli-table3'
import { compare, type Comparison } from './planning/comparisons.ts'
import { type SchemeRow, simulateSchemes } from './planning/scheme-rows.ts'

const SECONDS = 76_000
const SEED = 20_261_130
const MOST_ERRORS = 3

const comparisons = compare(SECONDS, SEED)
console.log(comparisonTable(comparisons))
console.log(schemeTable(simulateSchemes(SECONDS, SEED + 1)))
const apart = comparisons.filter(({ distance }) => !(Math.abs(distance) <= MOST_ERRORS))
for (const { figure, distance } of apart) console.error(`${figure}: ${distance.toFixed(1)} standard errors apart`)
if (apart.length > 0) process.exitCode = 1

function comparisonTable(rows: readonly Comparison[]): string {
  const table = tableOf(['', 'computed', 'simulated', 'standard error', 'apart by', 'calls'])
  for (const { figure, computed, simulated, standardError, distance, calls } of rows) {
    const [value, found] = [computed, simulated].map((each) => each.toPrecision(4))
    table.push([figure, value, found, standardError.toPrecision(2), distance.toFixed(1), calls.toExponential(2)])
  }
  return table.toString()
}

function schemeTable(rows: readonly SchemeRow[]): string {
  const table = tableOf(['per second', 'refused', 'calls failed', '429s, fixed upstream', '429s, rolling upstream'])
  for (const { name, result } of rows) {
    const { refused, failed, throttledFixed, throttledRolling } = result
    const numbers = [refused, failed, throttledFixed, throttledRolling]
    table.push([name, ...numbers.map(({ mean, standardError }) => `${mean.toFixed(2)} ± ${standardError.toFixed(2)}`)])
  }
  return table.toString()
}

function tableOf(head: string[]) {
  const colAligns = head.map((_, column) => (column === 0 ? ('left' as const) : ('right' as const)))
  return new Table({ head, colAligns, style: { head: [], border: [] } })
}
