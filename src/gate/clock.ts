/** Longer delays overflow a timer: they are waited for in steps. */
export const LONGEST_DELAY_MS = 2 ** 31 - 1

/** What a clock hands out for a timer; opaque to the library. */
export type Timer = unknown

/**
 * Where all time and all chance in the library come from. The system's clock and the virtual clock of
 * `headgate/testing` both implement it; a service can pass its own.
 */
export interface Clock {
  /** Monotonic milliseconds. May stand still, must not run backwards. */
  now(): number
  /** Milliseconds since the Unix epoch. Read only to interpret dates in headers. */
  wallNow(): number
  /**
   * Calls `fire` once after about `delayMs` (at most 2^31 - 1). A little early is fine: the gate compares with `now()` and
   * arms another. `keepAlive` says whether the pending timer alone keeps the process running.
   */
  setTimer(fire: () => void, delayMs: number, options: { keepAlive: boolean }): Timer
  clearTimer(timer: Timer): void
  /** A number in [0, 1) for jitter. Default: 0.5 always, so a clock that leaves it out gives the same run each time. */
  random?(): number
}
