/**
 * All benchmarks: runs them, and writes `docs/benchmarks.md` and its figures. `--from-results` writes them from the last run's results,
 * `--smoke` runs all in short and writes nothing.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { contenders, leftOut } from './contenders/index.ts'
import type { Claim } from './efficacy/result.ts'
import { runEfficacy } from './efficacy/run.ts'
import { runOverhead } from './overhead/overhead.ts'
import { SHOWN } from './figures/window.ts'
import { figuresOf } from './figures/index.ts'
import { documentOf } from './report/document.ts'
import { whatRanLines } from './report/what-ran.ts'
import { claimsOf, ranHere, type Results, savedResults, saveResults } from './results.ts'

const DOCS = join(import.meta.dirname, '../docs')
const EACH_RUNS = 25

const { values } = parseArgs({ options: { smoke: { type: 'boolean' }, 'from-results': { type: 'boolean' } } })
const isSmoke = values.smoke ?? false

if (isSmoke) pageOf(await run())
else if (values['from-results']) publish(savedResults())
else {
  const results = await run()
  saveResults(results)
  publish(results)
}

async function run(): Promise<Results> {
  const startMs = performance.now()
  console.log('efficacy')
  const efficacy = await runEfficacy(contenders, { smoke: isSmoke, timelinesOf: SHOWN, progress })
  console.log('overhead')
  const overhead = await runOverhead({ smoke: isSmoke })
  return { ran: ranHere(performance.now() - startMs), efficacy, overhead }
}

function progress(done: number, of: number): void {
  if (done % EACH_RUNS === 0 || done === of) console.log(`  ${done} of ${of} runs`)
}

function pageOf(results: Results): { text: string; figures: Record<string, string> } {
  return { text: documentOf(results, contenders, leftOut), figures: figuresOf(results) }
}

function publish(results: Results): void {
  const { text, figures } = pageOf(results)
  writeFileSync(join(DOCS, 'benchmarks.md'), text)
  for (const [name, svg] of Object.entries(figures)) writeFileSync(join(DOCS, 'figures', name), svg)
  console.log(`\n${whatRanLines(results.ran).join('\n')}`)
  for (const claim of claimsOf(results)) tell(claim)
}

function tell({ text, holds, figures }: Claim): void {
  console.log(`\n${holds ? 'true ' : 'FALSE'}  ${text}\n${figures.map((figure) => `         ${figure}`).join('\n')}`)
}
