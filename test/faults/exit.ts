import { setTimeout as pause } from 'node:timers/promises'
import type { Face } from '../conformance/face.ts'
import type { Ending, Fault } from './fault.ts'
import { facesOf, play } from './play.ts'
import { faults } from './table.ts'

/** When a caller who gives up does: whether the request has arrived nobody tells it here. */
const PATIENCE_MS = 3_000

/** What a process prints when it ends by itself. */
export interface Ended {
  readonly endings: Ending[][]
  /** From when the last call was settled. */
  readonly afterMs: number
}

/** The faults of a kind, each with the faces whose process ends by itself. */
export function endingPairs(kind: string): { fault: Fault; face: Face }[] {
  return faults[kind]!.flatMap((fault) =>
    facesOf(fault)
      .filter(({ name }) => !fault.exit?.by.some((face) => name.startsWith(face)))
      .map((face) => ({ fault, face })),
  )
}

/** Meets the faults of a kind, at the URLs given in this order, closes nothing, and prints how it ended. */
export async function playKind(kind: string, urls: readonly string[]): Promise<void> {
  const pairs = endingPairs(kind)
  const played = await Promise.all(
    pairs.map(({ fault, face }, index) => play(fault, face, urls[index]!, () => pause(PATIENCE_MS))),
  )
  const settledAt = performance.now()
  process.once('exit', () => {
    const ended: Ended = { endings: played.map(({ endings }) => endings), afterMs: performance.now() - settledAt }
    process.stdout.write(JSON.stringify(ended))
  })
}
