import type { Clock } from './gate/clock.ts'

export type { Clock, Timer } from './gate/clock.ts'

interface Unrefable {
  unref?: () => void
}

/** The host's clock: `performance.now()`, `Date.now()`, `setTimeout` and `Math.random()`. */
export const systemClock: Clock = {
  now: () => performance.now(),
  wallNow: () => Date.now(),
  setTimer(fire, delayMs, { keepAlive }) {
    const timer = setTimeout(fire, delayMs)
    // Browsers hand out numbers, which hold no process.
    if (!keepAlive) (timer as Unrefable).unref?.()
    return timer
  },
  clearTimer: (timer) => clearTimeout(timer as Parameters<typeof clearTimeout>[0]),
  random: () => Math.random(),
}
