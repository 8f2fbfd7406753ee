/**
 * The memory of a gate that nobody uses: bytes of the heap for each of so many, as they are made or used once and idle since, on their own or as
 * the partitions of an upstream. And what it costs to come to a partition for the first time.
 */
import { createHeadgate, Gate, VirtualClock } from '../built.ts'
import { type Figures, interleave } from './processes.ts'
import { median } from './statistics.ts'
import { heapBytes } from './waiters.ts'

const GATES = { full: 100_000, smoke: 1_000 }
const ROUNDS = { full: 5, smoke: 1 }

const LIMITS = { limit: 100, windowMs: 1_000 }

/** After this long nothing of an attempt is counted any more. */
const IDLE_AFTER_MS = 10_000

const KINDS = ['fresh gate', 'idle gate', 'idle partition'] as const
type Kind = (typeof KINDS)[number]

export interface GateRow {
  kind: Kind
  gates: number
  /** Bytes a gate, median of the rounds. */
  bytes: number
  /** Microseconds of the processor's time to make one, and where it is used to use it. */
  cpuUs: number
  rounds: { bytes: number[]; cpuUs: number[] }
}

export async function measureGates(smoke: boolean): Promise<GateRow[]> {
  const size = smoke ? 'smoke' : 'full'
  const gates = GATES[size]
  const cases = KINDS.map((kind) => gatesCase(kind, gates))
  const outcomes = await interleave(cases, { rounds: ROUNDS[size], fresh: true })
  return KINDS.map((kind, index) => {
    const figures = outcomes[index] as readonly Figures[]
    const rounds = { bytes: figures.map(({ bytes }) => bytes!), cpuUs: figures.map(({ cpuUs }) => cpuUs!) }
    return { kind, gates, bytes: median(rounds.bytes), cpuUs: median(rounds.cpuUs), rounds }
  })
}

export function gatesCase(kind: Kind, gates: number, repeats = 1) {
  return { file: import.meta.filename, args: [kind, gates, repeats] }
}

type Make = (clock: VirtualClock, gates: number) => Promise<unknown>

const MAKE: Record<Kind, Make> = {
  'fresh gate': async (clock, gates) => Array.from({ length: gates }, () => new Gate({ clock, limits: LIMITS })),
  'idle gate': async (clock, gates) => Array.from({ length: gates }, () => usedOnce(clock)),
  'idle partition': usePartitions,
}

export async function open([kind, gates, repeats]: [Kind, number, number]): Promise<() => Promise<Figures>> {
  return async () => {
    const all = { bytes: 0, cpuUs: 0 }
    for (let left = repeats; left > 0; left -= 1) {
      const { bytes, cpuUs } = await measure(MAKE[kind], gates)
      all.bytes += bytes / repeats
      all.cpuUs += cpuUs / repeats
    }
    return all
  }
}

async function measure(make: Make, gates: number): Promise<{ bytes: number; cpuUs: number }> {
  // What the first of its kind needs is no memory of the others.
  await make(new VirtualClock(), 10)
  const clock = new VirtualClock()
  const before = heapBytes()
  const startCpu = process.cpuUsage()
  const made = await make(clock, gates)
  const { user, system } = process.cpuUsage(startCpu)
  await clock.advance(IDLE_AFTER_MS)
  const bytes = (heapBytes() - before) / gates
  if (made === undefined) throw new Error('what is measured is gone')
  return { bytes, cpuUs: (user + system) / gates }
}

function usedOnce(clock: VirtualClock): Gate {
  const gate = new Gate({ clock, limits: LIMITS })
  const permit = gate.tryAcquire()!
  permit.settle()
  permit.release()
  return gate
}

/** One call to each partition of one upstream. */
async function usePartitions(clock: VirtualClock, gates: number): Promise<unknown> {
  const headgate = createHeadgate({
    clock,
    default: { limits: LIMITS },
    maxGates: gates,
    gateIdleMs: Infinity,
    fetch: async () => new Response(null, { status: 204 }),
  })
  for (let index = 0; index < gates; index += 1) {
    await headgate.fetch('https://upstream.example/', { headgate: { partition: `account ${index}` } })
  }
  return headgate
}
