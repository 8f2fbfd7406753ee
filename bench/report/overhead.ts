import type { OverheadResult } from '../overhead/result.ts'
import { stack } from './markdown.ts'
import { callsSection } from './overhead-calls.ts'
import { growthSection } from './overhead-growth.ts'
import { memorySection } from './overhead-memory.ts'
import { packagesSection, socketSection } from './overhead-packages.ts'

/** What headgate and the others cost. */
export function overheadSections(result: OverheadResult): string {
  return stack(
    callsSection(result),
    memorySection(result),
    growthSection(result),
    packagesSection(result),
    socketSection(result),
  )
}
