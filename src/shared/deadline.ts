import type { Clock } from '../gate/clock.ts'

/** A timer this late says that the process stood still: what has arrived meanwhile is let in first. */
const LATE_MS = 20

/** What became of a call by its deadline. */
export type Ended<T> = { value: T } | { error: unknown } | { timedOut: true }

/**
 * Tells how `work` ended, once, or that it had not after `deadlineMs`. What it does after that is not heeded. `keepAlive` says whether
 * waiting for it keeps the process running.
 */
export function withDeadline<T>(
  clock: Clock,
  work: Promise<T>,
  { deadlineMs, keepAlive }: { deadlineMs: number; keepAlive: boolean },
  done: (ended: Ended<T>) => void,
): void {
  let open = true
  const dueAt = clock.now() + deadlineMs
  const end = (ended: Ended<T>): void => {
    if (!open) return
    open = false
    clock.clearTimer(timer)
    done(ended)
  }
  const fire = (): void => {
    const now = clock.now()
    if (now < dueAt) timer = clock.setTimer(fire, Math.ceil(dueAt - now), { keepAlive })
    else if (now > dueAt + LATE_MS) timer = clock.setTimer(() => end({ timedOut: true }), LATE_MS, { keepAlive })
    else end({ timedOut: true })
  }
  let timer = clock.setTimer(fire, deadlineMs, { keepAlive })
  work.then(
    (value) => end({ value }),
    (error: unknown) => end({ error }),
  )
}
