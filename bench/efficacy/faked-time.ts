import { syncBuiltinESMExports } from 'node:module'
import FakeTimers from '@sinonjs/fake-timers'
import { createRandom } from '../built.ts'

// As they were before they are replaced.
const { setImmediate: realImmediate, setTimeout: realTimeout } = globalThis

/** A new year's midnight, at which fixed windows begin too. */
const START_MS = Date.UTC(2026, 0, 1)
/** Turns between two looks at the time of the processor. */
const TURNS_A_LOOK = 256
/** How often, a ms apart, work outside of faked time is waited for once no timer is left. */
const IDLE_LOOKS = 50

type InstalledClock = ReturnType<typeof FakeTimers.install>

/** `settled`: all done; `virtual-time` and `cpu-time`: that was up; `stuck`: no timer is left and it is still pending. */
export type End = 'settled' | 'virtual-time' | 'cpu-time' | 'stuck'

export interface FakedTime {
  /** Begins again at the start, with no timers and the same chance. */
  restart(seed: number): void
  /** Goes from timer to timer until `promise` settles, or for as long as is granted. */
  runUntil(promise: Promise<unknown>, granted: { virtualMs: number; cpuMs: number }): Promise<End>
}

/**
 * Replaces time and chance in this process: timers, `Date`, `performance.now`, `hrtime`, those of `node:timers` and
 * `node:timers/promises`. Promises and ticks stay real. To be called once, before what is measured is imported.
 */
export function fakeTime(): FakedTime {
  const clock = FakeTimers.install({
    now: START_MS,
    toFake: [
      'setTimeout',
      'clearTimeout',
      'setInterval',
      'clearInterval',
      'setImmediate',
      'clearImmediate',
      'Date',
      'performance',
      'hrtime',
    ],
  })
  syncBuiltinESMExports()
  return {
    restart(seed) {
      clock.reset()
      Math.random = createRandom(seed)
    },
    runUntil: (promise, granted) => drive(clock, promise, granted),
  }
}

async function drive(
  clock: InstalledClock,
  promise: Promise<unknown>,
  { virtualMs, cpuMs }: { virtualMs: number; cpuMs: number },
): Promise<End> {
  let pending = true
  const note = (): void => {
    pending = false
  }
  promise.then(note, note)
  const endMs = clock.now + virtualMs
  const endCpuMs = cpuNow() + cpuMs
  for (let turn = 1; ; turn += 1) {
    await settled()
    if (!pending) return 'settled'
    if (clock.now > endMs) return 'virtual-time'
    if (turn % TURNS_A_LOOK === 0 && cpuNow() > endCpuMs) return 'cpu-time'
    if (clock.countTimers() === 0 && !(await somethingComes(clock, () => pending))) return pending ? 'stuck' : 'settled'
    clock.next()
  }
}

/** This process's own time, which a busy machine does not lengthen, in ms. */
function cpuNow(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** All promise work that is due has run: microtasks and ticks empty before the next macrotask begins. */
function settled(): Promise<void> {
  return new Promise((resolve) => realImmediate(resolve))
}

/** Whether work outside of faked time sets a timer after all. */
async function somethingComes(clock: InstalledClock, isPending: () => boolean): Promise<boolean> {
  for (let look = 0; look < IDLE_LOOKS && isPending(); look += 1) {
    if (clock.countTimers() > 0) return true
    await new Promise((resolve) => realTimeout(resolve, 1))
  }
  return clock.countTimers() > 0
}
