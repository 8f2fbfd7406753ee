import type { Clock } from '../../src/index.ts'

/** The clock of another process beside `clock`: the same time of day, another origin of the monotonic one. */
export function otherProcess(clock: Clock, aheadMs = 1e9): Clock {
  return {
    now: () => clock.now() + aheadMs,
    wallNow: () => clock.wallNow(),
    setTimer: (fire, delayMs, options) => clock.setTimer(fire, delayMs, options),
    clearTimer: (timer) => clock.clearTimer(timer),
    random: () => clock.random?.() ?? 0.5,
  }
}

/** What comes back from a file or a store. */
export function stored<T>(saved: T): T {
  return JSON.parse(JSON.stringify(saved)) as T
}
