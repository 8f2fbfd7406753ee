import type { Clock } from '../gate/clock.ts'
import { type Content, compose, isThrottling } from './answer.ts'
import { type Charge, chargeIn, REQUESTS } from './charge.ts'
import { type Arrival, type Fault, faultFor, type UpstreamRequest } from './faults.ts'
import type { HeaderState } from './header-state.ts'
import { type Latency, sample } from './latency.ts'
import { createMeter, type Meter, type MeterOptions, type MeterReading } from './meter.ts'
import type { UpstreamOptions } from './options.ts'
import { createOtherClients } from './other-clients.ts'
import { createRandom, type Random } from '../random.ts'
import { Counters, type LogEntry, type UpstreamReport } from './record.ts'
import type { Trip } from './trip.ts'

/** What the upstream sends back, or `failure` for how the exchange ends without an answer. */
export interface Answer extends Content {
  failure?: 'refused' | 'reset' | 'hang'
  /** From the headers to the body, in ms. */
  bodyMs: number
}

const NO_LIMIT: MeterReading = { limit: Infinity, remaining: Infinity, used: 0, resetInMs: 0, windowMs: 60_000 }
const NO_CONTENT: Content = { status: 0, headers: {}, body: '' }

/** Spreads one seed over the sequences drawn from it. */
const SEED_STRIDE = 1009

/** The upstream itself, however requests reach it: it counts, decides, and says what is answered and when. */
export class UpstreamCore {
  readonly clock: Clock
  readonly log: LogEntry[] = []
  readonly #options: UpstreamOptions
  readonly #meters: Meter[]
  readonly #counters: Counters
  readonly #catchUp: ReturnType<typeof createOtherClients>
  readonly #startMs: number
  readonly #wallOffsetMs: number
  readonly #random: Record<'up' | 'down' | 'body', Random>
  #arrivals = 0

  constructor(options: UpstreamOptions, clock: Clock) {
    const { limits = [], seed = 1, random, wallSkewMs = 0, otherClients = [] } = options
    this.clock = clock
    this.#options = options
    this.#startMs = clock.now()
    this.#wallOffsetMs = clock.wallNow() - this.#startMs + wallSkewMs
    this.#meters = (Array.isArray(limits) ? limits : [limits]).map((limit) => this.#createMeter(limit))
    this.#counters = new Counters(this.#meters[0]?.options.windowMs ?? NO_LIMIT.windowMs)
    const stream = (salt: number): Random => random ?? createRandom(seed * SEED_STRIDE + salt)
    this.#random = { up: stream(0), down: stream(1), body: stream(2) }
    this.#catchUp = createOtherClients(otherClients, seed * SEED_STRIDE + 3)
  }

  /**
   * Takes a request up, counts it, and resolves when its headers are due. Once sent it is counted, whether or not the
   * trip is abandoned; that of an abandoned trip never resolves.
   */
  async exchange(request: UpstreamRequest, trip: Trip): Promise<Answer> {
    const { latency = {}, maxUpMs = Infinity } = this.#options
    const sentAtMs = this.clock.now()
    await trip.up(Math.min(maxUpMs, this.#sample('up', latency.upMs)))
    const arrival = this.#arrive(request)
    const fault = faultFor(this.#options.faults ?? [], arrival)
    const downMs = (fault.delayMs ?? 0) + this.#sample('down', latency.downMs)
    if (fault.error === 'refused') {
      await trip.down(downMs)
      return { ...NO_CONTENT, failure: 'refused', bodyMs: 0 }
    }
    const { answer, entry } = this.#answer(arrival, fault, sentAtMs)
    await trip.down(downMs)
    if (answer.failure === undefined) entry.answeredAtMs = this.clock.now()
    return answer
  }

  report(): UpstreamReport {
    this.#countOthers(this.clock.now())
    return this.#counters.report()
  }

  #createMeter(limit: MeterOptions): Meter {
    const { countRefused = false } = this.#options
    return createMeter({ countRefused, ...limit, anchorMs: (limit.anchorMs ?? 0) - this.#wallOffsetMs })
  }

  #sample(stream: 'up' | 'down' | 'body', latency: Latency = 0): number {
    return sample(latency, this.#random[stream])
  }

  #arrive(request: UpstreamRequest): Arrival {
    const nowMs = this.clock.now()
    this.#countOthers(nowMs)
    return { index: this.#arrivals++, nowMs, sinceStartMs: nowMs - this.#startMs, request }
  }

  #answer(arrival: Arrival, fault: Fault, sentAtMs: number): { answer: Answer; entry: LogEntry } {
    const weight = this.#options.weightOf?.(arrival.request) ?? 1
    const state = this.#count(arrival.nowMs, weight, fault)
    const content = compose(this.#options, arrival, fault, state)
    const failure = fault.error ?? (fault.hang === true ? 'hang' : undefined)
    const answer: Answer = { ...content, bodyMs: this.#sample('body', this.#options.bodyMs) }
    if (failure !== undefined) answer.failure = failure
    this.#countOutcome(arrival, answer)
    return { answer, entry: this.#note(arrival, answer, sentAtMs, weight) }
  }

  #countOthers(nowMs: number): void {
    this.#catchUp(nowMs - this.#startMs, (sinceStartMs, weight) => {
      const atMs = this.#startMs + sinceStartMs
      this.#take(atMs, weight)
      this.#countWeight(atMs, weight, false)
    })
  }

  /** All or nothing: what one limit refuses, no other counts as let in. Returns the limits that refused. */
  #take(nowMs: number, weight: Charge): Meter[] {
    const refusing = this.#meters.filter((meter) => !meter.allows(nowMs, chargeTo(meter, weight)))
    for (const meter of this.#meters) meter.count(nowMs, chargeTo(meter, weight), refusing.length === 0)
    return refusing
  }

  #countWeight(nowMs: number, weight: Charge, own: boolean): void {
    this.#counters.countWeight(nowMs, chargeTo(this.#meters[0], weight), own)
  }

  #count(nowMs: number, weight: Charge, { counted = true }: Fault): HeaderState {
    const refusing = counted ? this.#take(nowMs, weight) : []
    if (counted) this.#countWeight(nowMs, weight, true)
    const read = (meter: Meter): MeterReading => meter.read(nowMs)
    const readings = this.#meters.map(read)
    const stated = refusing.length > 0 ? longestReset(refusing.map(read)) : leastRemaining(readings)
    return { ...(stated ?? NO_LIMIT), wallMs: nowMs + this.#wallOffsetMs, throttled: refusing.length > 0, readings }
  }

  #countOutcome({ sinceStartMs }: Arrival, { failure, status }: Answer): void {
    const answered = failure === undefined
    this.#counters.countOutcome({
      name: failure ?? String(status),
      sinceStartMs,
      throttled: answered && isThrottling(this.#options, status),
      ok: answered && status >= 200 && status < 300,
    })
  }

  #note({ nowMs, request }: Arrival, { failure, status }: Answer, sentAtMs: number, weight: Charge): LogEntry {
    const { url, method, body } = request
    const charged = chargeIn(REQUESTS, weight)
    const entry: LogEntry = { sentAtMs, countedAtMs: nowMs, weight: charged, url, method, own: true }
    if (failure === undefined) entry.status = status
    if (body !== undefined) entry.body = body
    if (this.#options.log !== false) this.log.push(entry)
    return entry
  }
}

function chargeTo(meter: Meter | undefined, weight: Charge): number {
  return chargeIn(meter?.options.unit ?? REQUESTS, weight)
}

function leastRemaining(readings: MeterReading[]): MeterReading | undefined {
  return readings.reduce<MeterReading | undefined>(
    (a, b) => (a === undefined || b.remaining < a.remaining ? b : a),
    undefined,
  )
}

function longestReset(readings: MeterReading[]): MeterReading | undefined {
  return readings.reduce<MeterReading | undefined>(
    (a, b) => (a === undefined || b.resetInMs > a.resetInMs ? b : a),
    undefined,
  )
}
