import { Fleet } from './fleet.ts'
import { sharedNow } from './messages.ts'
import { wait } from './wait.ts'

const ROUNDS = 9
const PARK_MS = 500

/** How long the probe is kept waiting: whoever is let through beside it shows in this time. */
const PROBE_MS = 200

/** Longer than any call may wait for the engine, and than half a heartbeat. */
const SETTLED_MS = 700

/** What became of one park. */
export interface ParkRound {
  /** How long after the first of them, who was told to wait, the others heard of it, in ms. */
  readonly delaysMs: readonly number[]
  /** How many attempts came when it was over, before one was answered. */
  readonly probes: number
}

/** Has one of six processes told to wait, several times. */
export async function playParks(): Promise<ParkRound[]> {
  const fleet = await Fleet.start({ size: 6, callsPerS: 60, shared: {}, maxWaitMs: 2_000 })
  try {
    fleet.order('begin')
    await wait(2_000)
    const rounds: ParkRound[] = []
    while (rounds.length < ROUNDS) {
      rounds.push(await throttleOne(fleet))
      await wait(SETTLED_MS)
    }
    return rounds
  } finally {
    await fleet.stop()
  }
}

export function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? NaN
}

async function throttleOne({ upstream, members }: Fleet): Promise<ParkRound> {
  const heard = Promise.all(members.map((member) => new Promise<number>((resolve) => (member.onPark = resolve))))
  upstream.throttleOnce(PARK_MS)
  upstream.answerAfter(PROBE_MS)
  const [toldAt = 0, ...others] = (await heard).toSorted((one, other) => one - other)
  const before = upstream.arrivals.length
  await wait(toldAt + PARK_MS + PROBE_MS - sharedNow())
  const probes = upstream.arrivals.length - before
  upstream.answerAfter(0)
  return { delaysMs: others.map((at) => at - toldAt), probes }
}
