import type { Contender } from '../contenders/contender.ts'
import type { Results } from '../results.ts'
import { claimsSection } from './claims.ts'
import { contendersSection, type LeftOut } from './contenders.ts'
import { coreSection } from './core.ts'
import { efficacyRaces } from './efficacy-races.ts'
import { stack } from './markdown.ts'
import { methodSection } from './method.ts'
import { otherSection } from './other.ts'
import { cutNote } from './rows.ts'
import { waitsSection } from './waits.ts'
import { whatRanSection } from './what-ran.ts'
import { lossesSection } from './where-it-loses.ts'

/** `docs/benchmarks.md`, all of it. */
export function documentOf(
  { ran, efficacy }: Results,
  contenders: readonly Contender[],
  leftOut: readonly LeftOut[],
): string {
  const { results, claims } = efficacy
  return `${stack(
    '# Benchmarks',
    'headgate beside what else a service would put between itself and an upstream. `npm run bench` in the repository runs all of it and writes this page and its figures.',
    '![The upstream’s window over time](figures/bench-window.svg)',
    whatRanSection(ran),
    claimsSection(claims),
    lossesSection(efficacyRaces(results)),
    '![429s by contender](figures/bench-throttled.svg)',
    coreSection(results, contenders),
    otherSection(results),
    '![Waits by contender](figures/bench-waits.svg)',
    waitsSection(results),
    cutNote(results),
    '![Overhead by contender](figures/bench-overhead.svg)',
    contendersSection(contenders, leftOut, ran),
    methodSection(),
  )}\n`
}
