import { expect } from 'vitest'
import { callsOf, expectedOf, type Fault } from './fault.ts'

/** What the calls of a fault come to by a face. */
export function endingsOf(fault: Fault, face: string): unknown[] {
  const { comesTo } = expectedOf(fault, face)
  const ending: unknown = comesTo instanceof RegExp ? expect.stringMatching(comesTo) : comesTo
  return Array.from({ length: callsOf(fault) }, () => ending)
}
