import { type Clock, createMeter, createRandom, type Meter, type MeterOptions, VirtualClock } from '../built.ts'
import type { Client } from '../contenders/contender.ts'
import { type Call, play } from './play.ts'
import type { Answered } from './run-one.ts'
import type { Scenario } from './scenario.ts'
import { tripLatency } from './trip.ts'

/** Two sequences of chance of one seed. */
const DOWN_SEED = 7_919

interface Waiting {
  order: number
  upMs: number
  answer: (status: { status: number }) => void
}

/**
 * Plays a scenario with a scheduler that knows the upstream's meters, its faults, its other clients and how long each request takes.
 * It keeps the callers' order, and sends so that each request is counted at the first instant at which it is let in.
 */
export async function playOmniscient(
  scenario: Scenario,
  seed: number,
): Promise<{ calls: Call[]; answered: Answered[] }> {
  const clock = new VirtualClock()
  const calls: Call[] = []
  const scheduler = new OmniscientClient(scenario, clock, seed)
  await clock.runUntil(play(scenario.load, scheduler, clock, seed, calls))
  return { calls, answered: scheduler.answered }
}

class OmniscientClient implements Client {
  readonly answered: Answered[] = []
  readonly #clock: Clock
  readonly #door: Door
  readonly #latency: ReturnType<typeof tripLatency>
  readonly #up: () => number
  readonly #down: () => number
  /** At the door, by the order of their calls. */
  readonly #line: Waiting[] = []
  #calls = 0
  #opensAtMs = Infinity

  constructor(scenario: Scenario, clock: Clock, seed: number) {
    this.#clock = clock
    this.#door = new Door(scenario, clock)
    this.#latency = tripLatency(scenario.trip)
    this.#up = createRandom(seed)
    this.#down = createRandom(seed + DOWN_SEED)
  }

  call(): Promise<{ status: number }> {
    const upMs = this.#latency.upMs(this.#up)
    const order = this.#calls++
    return new Promise((answer) => this.#after(upMs, () => this.#arrive({ order, upMs, answer })))
  }

  #arrive(waiting: Waiting): void {
    const after = this.#line.findLastIndex(({ order }) => order < waiting.order)
    this.#line.splice(after + 1, 0, waiting)
    this.#letIn()
  }

  #letIn(): void {
    const nowMs = this.#clock.now()
    while (this.#line.length > 0 && this.#door.opensAtMs(nowMs) <= nowMs) {
      this.#door.count(nowMs)
      this.#answer(this.#line.shift() as Waiting, nowMs)
    }
    if (this.#line.length > 0) this.#wakeAt(this.#door.opensAtMs(nowMs))
  }

  #answer({ upMs, answer }: Waiting, countedAtMs: number): void {
    const downMs = this.#latency.downMs(this.#down)
    this.answered.push({ sentAtMs: countedAtMs - upMs, answeredAtMs: countedAtMs + downMs })
    this.#after(downMs, () => answer({ status: 200 }))
  }

  #wakeAt(atMs: number): void {
    if (atMs === this.#opensAtMs) return
    this.#opensAtMs = atMs
    this.#after(atMs - this.#clock.now(), () => {
      if (this.#opensAtMs === atMs) this.#opensAtMs = Infinity
      this.#letIn()
    })
  }

  #after(ms: number, fire: () => void): void {
    this.#clock.setTimer(fire, ms, { keepAlive: true })
  }
}

/** When the upstream lets a request in. */
class Door {
  readonly #meters: Meter[]
  readonly #closed: { fromMs: number; toMs: number }[]
  /** Instants at which other clients burst, and how many they are then. */
  readonly #bursts: { nextMs: number; everyMs: number; burst: number }[]

  constructor({ upstream }: Scenario, clock: Clock) {
    const { limits = [], countRefused = false, otherClients = [], faults = [] } = upstream
    const wallOffsetMs = clock.wallNow() - clock.now()
    this.#meters = [limits]
      .flat()
      .map((limit) => createMeter({ countRefused, ...limit, anchorMs: (limit.anchorMs ?? 0) - wallOffsetMs }))
    this.#closed = [...(faults as { fromMs: number; toMs: number }[])]
    this.#bursts = otherClients.map((other) => {
      if (!('burst' in other)) throw new Error('the scheduler knows only other clients that burst')
      return { nextMs: other.startMs ?? 0, everyMs: other.everyMs, burst: other.burst }
    })
  }

  /** `nowMs` if it lets one in now; else an instant before which it does not. */
  opensAtMs(nowMs: number): number {
    this.#countOthers(nowMs)
    const closed = this.#closed.find(({ fromMs, toMs }) => fromMs <= nowMs && nowMs < toMs)
    return Math.max(closed?.toMs ?? nowMs, ...this.#meters.map((meter) => nowMs + opensInMs(meter, nowMs)))
  }

  count(nowMs: number): void {
    for (const meter of this.#meters) meter.count(nowMs, 1, true)
  }

  #countOthers(nowMs: number): void {
    for (const other of this.#bursts) {
      for (; other.nextMs <= nowMs; other.nextMs += other.everyMs) {
        for (let request = 0; request < other.burst; request += 1) this.#countOther(other.nextMs)
      }
    }
  }

  #countOther(atMs: number): void {
    const allowed = this.#meters.every((meter) => meter.allows(atMs, 1))
    for (const meter of this.#meters) meter.count(atMs, 1, allowed)
  }
}

function opensInMs(meter: Meter, nowMs: number): number {
  if (meter.allows(nowMs, 1)) return 0
  const { limit, windowMs, kind }: Readonly<MeterOptions> = meter.options
  const { resetInMs } = meter.read(nowMs)
  return kind === 'token-bucket' ? Math.ceil(resetInMs - ((limit - 1) * windowMs) / limit) : resetInMs
}
