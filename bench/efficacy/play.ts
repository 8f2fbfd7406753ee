import { type Clock, createRandom } from '../built.ts'
import type { Client } from '../contenders/contender.ts'
import type { Load } from './scenario.ts'

/** What became of one call. Instants are the clock's, in ms. */
export interface Call {
  /** 0, 1, ... of as many as there are. */
  caller: number
  /** 0, 1, ... of the bursts; 0 where there are none. The call before the first burst is of none. */
  burst?: number
  madeAtMs: number
  /** Absent while it is open. */
  endedAtMs?: number
  /** Whether it ended with a 2xx. */
  served: boolean
}

const CALLERS = 25

/** Makes the calls of a load and notes them in `calls`, in the order they are made. Resolves when all have ended. */
export function play(load: Load, client: Client, clock: Clock, seed: number, calls: Call[]): Promise<void> {
  const make = async (caller: number, burst?: number): Promise<void> => {
    const call: Call = { caller, madeAtMs: clock.now(), served: false }
    if (burst !== undefined) call.burst = burst
    calls.push(call)
    call.served = await isServed(client)
    call.endedAtMs = clock.now()
  }
  switch (load.kind) {
    case 'workers':
      return playWorkers(load, make)
    case 'bursts':
      return playBursts(load, clock, make)
    case 'poisson':
      return playArrivals(load, clock, seed, make)
  }
}

async function isServed(client: Client): Promise<boolean> {
  try {
    const { status } = await client.call()
    return status >= 200 && status < 300
  } catch {
    return false
  }
}

type Make = (caller: number, burst?: number) => Promise<void>
type LoadOf<Kind> = Extract<Load, { kind: Kind }>

async function playWorkers({ workers, calls }: LoadOf<'workers'>, make: Make): Promise<void> {
  let left = calls
  const work = async (_: unknown, worker: number): Promise<void> => {
    while (left > 0) {
      left -= 1
      await make(worker, 0)
    }
  }
  await Promise.all(Array.from({ length: workers }, work))
}

async function playBursts({ bursts, calls, idleMs }: LoadOf<'bursts'>, clock: Clock, make: Make): Promise<void> {
  await make(0)
  for (let burst = 0; burst < bursts; burst += 1) {
    await sleep(clock, idleMs)
    await Promise.all(Array.from({ length: calls }, (_, caller) => make(caller, burst)))
  }
}

async function playArrivals(
  { perMinute, forMs }: LoadOf<'poisson'>,
  clock: Clock,
  seed: number,
  make: Make,
): Promise<void> {
  const random = createRandom(seed)
  const startMs = clock.now()
  const made: Promise<void>[] = []
  let sinceStartMs = 0
  for (;;) {
    sinceStartMs -= (Math.log(1 - random()) * 60_000) / perMinute
    if (sinceStartMs >= forMs) break
    await sleep(clock, Math.round(startMs + sinceStartMs - clock.now()))
    made.push(make(Math.floor(random() * CALLERS), 0))
  }
  await Promise.all(made)
}

async function sleep(clock: Clock, ms: number): Promise<void> {
  if (ms > 0) await new Promise<void>((resolve) => clock.setTimer(resolve, ms, { keepAlive: true }))
}
