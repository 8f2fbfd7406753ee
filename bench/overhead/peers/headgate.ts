import type { Gate, GateOptions } from '../../built.ts'
import { type Batch, type Free, type Hold, HUGE, nothing, type Peer, type Waiting } from './peer.ts'

type Options = Omit<GateOptions, 'clock'>

const ONE_LIMIT: Options = { limits: { limit: HUGE, windowMs: 1_000 } }
const THREE_LIMITS: Options = {
  limits: [1_000, 60_000, 3_600_000].map((windowMs) => ({ limit: HUGE, windowMs })),
  concurrency: HUGE,
}

const one = 'one limit that holds nobody'
const three = 'three limits and a concurrency that hold nobody'

export const headgatePeers: readonly Peer[] = [
  {
    name: 'headgate',
    free: acquiring(ONE_LIMIT, one),
    held: {
      setUp: `concurrency 1, ${one}`,
      by: 'concurrency',
      aborts: 'each',
      open: () => behindAnother(),
    },
  },
  { name: 'headgate tryAcquire', free: trying(ONE_LIMIT, one) },
  {
    name: 'headgate (window)',
    held: { setUp: 'a limit per window', by: 'window', aborts: 'each', open: (hold) => behindWindow(hold) },
  },
  { name: 'headgate (three limits)', free: acquiring(THREE_LIMITS, three) },
  { name: 'headgate tryAcquire (three limits)', free: trying(THREE_LIMITS, three) },
]

async function gateOf(options: Options): Promise<Gate> {
  const { Gate, systemClock } = await import('../../built.ts')
  return new Gate({ ...options, clock: systemClock })
}

function acquiring(options: Options, setUp: string): Free {
  return { how: 'call', setUp, open: async () => acquiringFrom(await gateOf(options)) }
}

function acquiringFrom(gate: Gate): Batch {
  return async (calls) => {
    for (let left = calls; left > 0; left -= 1) {
      const permit = await gate.acquire()
      await nothing()
      permit.settle()
      permit.release()
    }
  }
}

function trying(options: Options, setUp: string): Free {
  return { how: 'try', setUp, open: async () => tryingFrom(await gateOf(options)) }
}

function tryingFrom(gate: Gate): Batch {
  return async (calls) => {
    for (let left = calls; left > 0; left -= 1) {
      const permit = gate.tryAcquire()!
      permit.settle()
      permit.release()
    }
  }
}

async function behindAnother(): Promise<Waiting> {
  const gate = await gateOf({ ...ONE_LIMIT, concurrency: 1 })
  const first = gate.tryAcquire()!
  return { ...waitingAt(gate), release: () => first.release() }
}

async function behindWindow({ limit, windowMs }: Hold): Promise<Waiting> {
  const gate = await gateOf({ limits: { limit, windowMs } })
  for (let left = limit; left > 0; left -= 1) await gate.run(nothing)
  return waitingAt(gate)
}

function waitingAt(gate: Gate): Waiting {
  return {
    call: async (task) => {
      const permit = await gate.acquire()
      await task()
      permit.settle()
      permit.release()
    },
    wait: (signal) => gate.acquire({ signal }),
  }
}
