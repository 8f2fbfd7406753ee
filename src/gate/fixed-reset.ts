import type { Taken } from './limit.ts'
import type { Reading } from './observation.ts'
import { distanceOf, type SavedReset } from './saved.ts'

/** An instant told by the upstream is read against its `Date` header, which is cut to whole seconds: it may lie that much too late. */
export const DATE_STEP_MS = 1_000

/** An instant at which a fixed window reopens, as the gate's clock tells it. */
export interface Reset {
  /** Everything counted at or before this is certainly of the old window. */
  sureAt: number
  /** The upstream has certainly reset. */
  reopensAt: number
}

/**
 * When a fixed window reopens. A reading taken somewhere between an attempt's sending and its answer names a reset `resetInMs`
 * away, which may be off by the step it was told in, 1 000 ms for whole seconds, either way.
 */
export class FixedReset {
  #pending: Reset | undefined
  #next: Reset | undefined
  #passedAt = -Infinity

  /** The reset that passes first. */
  get pending(): Reset | undefined {
    return this.#pending
  }

  get reopensAt(): number | undefined {
    return this.#pending?.reopensAt
  }

  /** The last reading was of the window after the pending reset. */
  get namesNext(): boolean {
    return this.#next !== undefined
  }

  /** Whether the reading is of a window that is over: its reset has passed at the upstream, or here since. */
  isPast({ resetInMs = Infinity, resetStepMs = 0 }: Reading, sentAt: number): boolean {
    return resetInMs === 0 || sentAt + resetInMs - resetStepMs <= this.#passedAt
  }

  /**
   * Whether the reading names the reset after the pending one. It does not cancel that one: what was spent before it still comes back
   * there.
   */
  read({ resetInMs, resetStepMs = 0 }: Reading, { sentAt, at }: Pick<Taken, 'sentAt' | 'at'>): boolean {
    if (resetInMs === undefined) return false
    const sureAt = sentAt + resetInMs - resetStepMs - DATE_STEP_MS
    const named = { sureAt, reopensAt: at + resetInMs + resetStepMs }
    const isNext = this.#pending !== undefined && named.sureAt > this.#pending.reopensAt
    if (isNext) this.#next = named
    else this.#pending = named
    return isNext
  }

  save(now: number): SavedReset[] {
    const toCome = [this.#pending, this.#next].filter((reset) => reset !== undefined)
    return toCome.map(({ sureAt, reopensAt }) => ({
      sureInMs: distanceOf(sureAt - now),
      reopensInMs: distanceOf(reopensAt - now),
    }))
  }

  /** Takes over what is to come, unless a reading of this process has told. */
  restore(saved: readonly SavedReset[], savedAt: number): void {
    if (this.#pending !== undefined) return
    const resets = saved.map(({ sureInMs, reopensInMs }) => ({
      sureAt: savedAt + sureInMs,
      reopensAt: savedAt + reopensInMs,
    }))
    this.#pending = resets[0]
    this.#next = resets[1]
  }

  /** The instant through which old windows have been let go of by `now`, once after a reset has passed. */
  advance(now: number): number | undefined {
    let passed: number | undefined
    while (this.#pending !== undefined && now >= this.#pending.reopensAt) {
      passed = this.#pending.sureAt
      this.#passedAt = this.#pending.reopensAt
      this.#pending = this.#next
      this.#next = undefined
    }
    return passed
  }
}
