import type { Signal } from '../gate/abort.ts'
import { type Clock, LONGEST_DELAY_MS } from '../gate/clock.ts'
import type { Closing } from './closing.ts'

/**
 * Waits by the clock; true when the time is over, false when the headgate closes first. Rejects with the signal's reason as soon as
 * it aborts, and leaves no listener on it.
 */
export function sleep(clock: Clock, ms: number, signal: Signal | undefined, closing: Closing): Promise<boolean> {
  if (signal?.aborted) return Promise.reject(signal.reason as Error)
  return new Promise((resolve, reject) => {
    const until = clock.now() + ms
    const end = (): void => {
      clock.clearTimer(timer)
      signal?.removeEventListener('abort', onAbort)
      closing.delete(onClose)
    }
    const onAbort = (): void => {
      end()
      reject(signal!.reason as Error)
    }
    const onClose = (): void => {
      end()
      resolve(false)
    }
    const wake = (): void => {
      const leftMs = until - clock.now()
      if (leftMs > 0) {
        timer = arm(leftMs)
        return
      }
      end()
      resolve(true)
    }
    const arm = (leftMs: number) =>
      clock.setTimer(wake, Math.min(Math.ceil(leftMs), LONGEST_DELAY_MS), { keepAlive: true })
    let timer = arm(ms)
    signal?.addEventListener('abort', onAbort)
    closing.add(onClose)
  })
}
