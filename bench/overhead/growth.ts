/** How headgate's costs grow: the same work 1, 10, 100 and 1 000 times as large, and the exponent that fits. 1 is linear. */
import { Gate } from '../built.ts'
import { abortCase } from './aborts.ts'
import { contendedCase } from './contended.ts'
import { gatesCase } from './gates.ts'
import { type Case, type Figures, interleave } from './processes.ts'
import { exponent, median } from './statistics.ts'

const SCALES = { full: [1, 10, 100, 1_000], smoke: [1, 10] }
const ROUNDS = { full: 5, smoke: 1 }

/** Small work is done this many times over at most, so that there is something to measure. */
const MOST_REPEATS = { full: 20, smoke: 5 }

const HISTORY_WINDOW_MS = 3_600_000

export interface GrowthRow {
  of: 'waiters' | 'history' | 'aborts' | 'partitions'
  /** What a size counts, and what is measured. */
  what: string
  points: { size: number; totalMs: number; rounds: number[] }[]
  exponent: number
}

interface Growing {
  of: GrowthRow['of']
  what: string
  /** The smallest size. */
  base: number
  caseOf: (size: number, repeats: number) => Case
  totalMs: (figures: Figures, size: number) => number
}

const GROWING: readonly Growing[] = [
  {
    of: 'waiters',
    what: 'callers asked at once behind a concurrency of 1, to the end of the last: time of the processor',
    base: 100,
    caseOf: (size, repeats) => contendedCase('headgate', size, repeats),
    totalMs: ({ cpuUs }, size) => (cpuUs! * size) / 1e3,
  },
  {
    of: 'history',
    what: 'calls one after the other within one window, limit 1 000 000: time of the processor',
    base: 1_000,
    caseOf: (size, repeats) => ({ file: import.meta.filename, args: [size, repeats] }),
    totalMs: ({ totalMs }) => totalMs!,
  },
  {
    of: 'aborts',
    what: 'waiters aborted by one signal: time that the event loop is blocked',
    base: 100,
    caseOf: (size, repeats) => abortCase('headgate', 'shared', 'first come', size, repeats),
    totalMs: ({ ms }) => ms!,
  },
  {
    of: 'partitions',
    what: 'partitions of one upstream, one call to each: time of the processor',
    base: 100,
    caseOf: (size, repeats) => gatesCase('idle partition', size, repeats),
    totalMs: ({ cpuUs }, size) => (cpuUs! * size) / 1e3,
  },
]

export async function measureGrowth(smoke: boolean): Promise<GrowthRow[]> {
  const key = smoke ? 'smoke' : 'full'
  const rows: GrowthRow[] = []
  for (const { of, what, base, caseOf, totalMs } of GROWING) {
    const scales = SCALES[key]
    const cases = scales.map((scale) => caseOf(base * scale, repeatsAt(scale, key)))
    const outcomes = (await interleave(cases, { rounds: ROUNDS[key] })) as (readonly Figures[])[]
    const points = scales.map((scale, index) => {
      const rounds = outcomes[index]!.map((figures) => totalMs(figures, base * scale))
      return { size: base * scale, totalMs: median(rounds), rounds }
    })
    const fitted = exponent(points.map(({ size, totalMs: total }) => ({ size, total })))
    rows.push({ of, what, points, exponent: fitted })
  }
  return rows
}

/** As much work in all at every scale, as far as that goes. */
function repeatsAt(scale: number, key: 'full' | 'smoke'): number {
  return Math.ceil(Math.min(MOST_REPEATS[key], 1_000 / scale))
}

export async function open([size, repeats]: [number, number]): Promise<() => Promise<Figures>> {
  return async () => {
    let totalMs = 0
    for (let left = repeats; left > 0; left -= 1) totalMs += sendWithinWindow(size) / repeats
    return { totalMs }
  }
}

/** Spread over half the window, so that none of them is forgotten. */
function sendWithinWindow(calls: number): number {
  let nowMs = 0
  const clock = { now: () => nowMs, wallNow: () => nowMs, setTimer: () => undefined, clearTimer: () => {} }
  const gate = new Gate({ clock, limits: { limit: 1_000_000, windowMs: HISTORY_WINDOW_MS } })
  const startCpu = process.cpuUsage()
  for (let left = calls; left > 0; left -= 1) {
    nowMs += HISTORY_WINDOW_MS / 2 / calls
    const permit = gate.tryAcquire()!
    permit.settle()
    permit.release()
  }
  const { user, system } = process.cpuUsage(startCpu)
  return (user + system) / 1e3
}
