import type { Clock } from '../gate/clock.ts'

/** Waits by the clock. Rejects with the signal's reason as soon as it aborts, and leaves no listener on it. */
export function sleep(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted) return Promise.reject(signal.reason as Error)
  return new Promise((resolve, reject) => {
    const until = clock.now() + ms
    const onAbort = (): void => {
      clock.clearTimer(timer)
      reject(signal!.reason as Error)
    }
    const wake = (): void => {
      const leftMs = until - clock.now()
      if (leftMs > 0) {
        timer = arm(leftMs)
        return
      }
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }
    const arm = (leftMs: number) =>
      clock.setTimer(wake, Math.min(Math.ceil(leftMs), LONGEST_DELAY_MS), { keepAlive: true })
    let timer = arm(ms)
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}

/** Longer delays overflow a timer: they are waited for in steps. */
const LONGEST_DELAY_MS = 2 ** 31 - 1
