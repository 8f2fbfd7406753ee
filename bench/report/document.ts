import type { Contender } from '../contenders/contender.ts'
import { claimsOf, type Results } from '../results.ts'
import { claimsSection } from './claims.ts'
import { contendersSection, type LeftOut } from './contenders.ts'
import { coreSection } from './core.ts'
import { efficacyRaces } from './efficacy-races.ts'
import { stack } from './markdown.ts'
import { methodSection } from './method.ts'
import { overheadRaces } from './overhead-races.ts'
import { overheadSections } from './overhead.ts'
import { otherSection } from './other.ts'
import { cutNote } from './rows.ts'
import { waitsSection } from './waits.ts'
import { whatRanSection } from './what-ran.ts'
import { lossesSection } from './where-it-loses.ts'

/** `docs/benchmarks.md`, all of it. */
export function documentOf(results: Results, contenders: readonly Contender[], leftOut: readonly LeftOut[]): string {
  const { ran, efficacy, overhead } = results
  return `${stack(
    '# Benchmarks',
    'headgate beside what else a service would put between itself and an upstream. `npm run bench` in the repository runs all of it and writes this page and its figures.',
    '![The upstream’s window over time](figures/bench-window.svg)',
    whatRanSection(ran),
    claimsSection(claimsOf(results)),
    lossesSection(new Map([...efficacyRaces(efficacy.results), ...overheadRaces(overhead)])),
    '![429s by contender](figures/bench-throttled.svg)',
    coreSection(efficacy.results, contenders),
    otherSection(efficacy.results),
    '![Waits by contender](figures/bench-waits.svg)',
    waitsSection(efficacy.results),
    cutNote(efficacy.results),
    overheadSections(overhead),
    contendersSection(contenders, leftOut, ran),
    methodSection(),
  )}\n`
}
