import type { Setting, Stage } from './stage.ts'

export type SetStage = (setting?: Setting) => Promise<Stage>

/** One thing that holds of every face, but for those that are named with a reason. */
export interface Row {
  readonly name: string
  /** Over HTTP/2, too. */
  readonly http2?: true
  /** By how the name of a face begins. */
  readonly skips?: Readonly<Record<string, string>>
  readonly play: (set: SetStage) => Promise<void>
}

/** Why a row is not for a face; undefined where it is. */
export function reasonToSkip({ skips = {} }: Row, face: string): string | undefined {
  return Object.entries(skips).find(([name]) => face.startsWith(name))?.[1]
}
