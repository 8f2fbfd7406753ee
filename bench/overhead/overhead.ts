/** What headgate and its peers cost, in one run. `node overhead/overhead.ts [--smoke] [--json <file>]` runs it alone. */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { overheadSections } from '../report/overhead.ts'
import { measureAborts } from './aborts.ts'
import { measureBundleSize } from './bundle-size.ts'
import { claimsOf } from './claims.ts'
import { measureContended } from './contended.ts'
import { measureGates } from './gates.ts'
import { measureGrowth } from './growth.ts'
import { measureHeaderReading } from './header-reading.ts'
import { measureImportTime } from './import-time.ts'
import { measureLoopback } from './loopback.ts'
import { PEERS } from './peers/index.ts'
import type { OverheadMeasures, OverheadResult } from './result.ts'
import { measureUncontended } from './uncontended.ts'
import { measureWaiters } from './waiters.ts'

export interface OverheadOptions {
  /** Few rounds of little, to see that all of it works. Default false. */
  smoke?: boolean
}

export async function runOverhead({ smoke = false }: OverheadOptions = {}): Promise<OverheadResult> {
  const startMs = performance.now()
  const measures: OverheadMeasures = {
    uncontended: await measureUncontended(smoke),
    contended: await measureContended(smoke),
    waiters: await measureWaiters(smoke),
    gates: await measureGates(smoke),
    aborts: await measureAborts(smoke),
    growth: await measureGrowth(smoke),
    importTime: measureImportTime(smoke),
    bundleSize: await measureBundleSize(),
    loopback: await measureLoopback(smoke),
    headerReading: await measureHeaderReading(smoke),
  }
  const tookMs = performance.now() - startMs
  return { node: process.version, smoke, tookMs, leftOut: leftOut(), ...measures, claims: claimsOf(measures) }
}

function leftOut(): OverheadResult['leftOut'] {
  return PEERS.flatMap(({ name, leftOut: parts = {} }) =>
    Object.entries(parts).map(([part, why]) => ({ peer: name, part, why })),
  )
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { smoke: { type: 'boolean' }, json: { type: 'string' } } })
  const result = await runOverhead({ smoke: values.smoke ?? false })
  if (values.json) writeFileSync(values.json, JSON.stringify(result, undefined, 2))
  console.log(overheadSections(result))
}
