/**
 * Several gates on one account in virtual time, each of which knows of the others what the upstream's headers tell it. The upstream
 * keeps a rolling window, and counts what it refuses.
 */
import { Gate } from '../src/gate/index.ts'
import { VirtualClock } from '../src/testing/index.ts'
import { sample } from '../src/testing/latency.ts'
import { createMeter } from '../src/testing/meter.ts'
import { createRandom, type Random } from '../src/random.ts'

export const LIMIT = { limit: 600, windowMs: 60_000 }
export const MINUTE_MS = 60_000

/** The longest a request takes to be counted, of what it takes in all. */
const MAX_UP_MS = 400

/** Spread of the log-normal latency. */
const SIGMA = 0.3

/** What the upstream tells as the time to its reset, on every answer. */
const RESET_MS = 58_000

/** What a client has by default. */
const WORKERS = 25

/** Steps in which what was served is kept. */
export const STEP_MS = 5_000

export interface Client {
  /** Default 0. */
  startMs?: number
  /** Default the end. */
  untilMs?: number
  fairShare?: boolean
  /** Workers that call as fast as they may. Default 25. */
  workers?: number
  /** Requests a minute that it wants to make. Default as many as it may. */
  perMinute?: number
  /** Weights are drawn evenly from 1 to this. Default 1. */
  maxWeight?: number
}

export interface RunOptions {
  clients: readonly Client[]
  /** Of the log-normal time from send to answer. */
  medianMs: number
  seed: number
  minutes: number
  /** A gate with a rule removed, or the gate. */
  GateClass?: typeof Gate
}

/** Units let in, by client and step, and refused requests by step. */
export interface Run {
  served: number[][]
  refused: number[]
}

export async function run({ clients, medianMs, seed, minutes, GateClass = Gate }: RunOptions): Promise<Run> {
  const clock = new VirtualClock({ seed })
  const random = createRandom(seed * 7919 + 13)
  const meter = createMeter({ kind: 'rolling', ...LIMIT, countRefused: true })
  const endMs = minutes * MINUTE_MS
  const steps = endMs / STEP_MS
  const result: Run = { served: clients.map(() => zeros(steps)), refused: zeros(steps) }
  const send = async (client: number, weight: number) => {
    const wholeMs = sample({ medianMs, sigma: SIGMA }, random)
    const upMs = Math.min(MAX_UP_MS, wholeMs * random())
    await clock.sleep(upMs)
    const { allowed, remaining } = meter.take(clock.now(), weight)
    const step = Math.floor(clock.now() / STEP_MS)
    if (step < steps) {
      if (allowed) result.served[client]![step]! += weight
      else result.refused[step]! += 1
    }
    await clock.sleep(wholeMs - upMs)
    return { allowed, remaining }
  }
  clients.forEach((client, index) => {
    const { workers = WORKERS, fairShare = false } = client
    const gate = new GateClass({ clock, limits: LIMIT, concurrency: workers, coldStartMs: 1_000, fairShare })
    launch({ clock, gate, client, endMs, random, send: (weight) => send(index, weight) })
  })
  await clock.advance(endMs)
  return result
}

interface Launch {
  clock: VirtualClock
  gate: Gate
  client: Client
  endMs: number
  random: Random
  send: (weight: number) => Promise<{ allowed: boolean; remaining: number }>
}

function launch({ clock, gate, client, endMs, random, send }: Launch): void {
  const { startMs = 0, untilMs = endMs, workers = WORKERS, perMinute: wanted, maxWeight = 1 } = client
  const work = async (): Promise<void> => {
    while (clock.now() < untilMs) {
      const weight = 1 + Math.floor(random() * maxWeight)
      const permit = await gate.acquire({ weight })
      const { allowed, remaining } = await send(weight)
      const reading = { limit: LIMIT.limit, remaining, resetInMs: RESET_MS }
      permit.settle({ limits: [reading], throttled: !allowed, scope: 'partition' })
      permit.release()
      if (wanted !== undefined) await clock.sleep((2 * random() * workers * MINUTE_MS) / wanted)
    }
  }
  const begin = (): void => {
    for (let worker = 0; worker < workers; worker += 1) void work()
  }
  clock.setTimer(begin, startMs, { keepAlive: true })
}

/** Units a minute of each client between two minutes. */
export function perMinute({ served }: Run, from: number, to: number): number[] {
  return served.map((steps) => sumBetween(steps, from, to) / (to - from))
}

/** Refused requests a minute between two minutes. */
export function refusedPerMinute({ refused }: Run, from: number, to: number): number {
  return sumBetween(refused, from, to) / (to - from)
}

export function total(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0)
}

function sumBetween(steps: readonly number[], from: number, to: number): number {
  return total(steps.slice((from * MINUTE_MS) / STEP_MS, (to * MINUTE_MS) / STEP_MS))
}

function zeros(length: number): number[] {
  return Array.from({ length }, () => 0)
}
