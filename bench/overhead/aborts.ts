/** How long it blocks the event loop when so many who wait are aborted: milliseconds, their rejections included. */
import { setImmediate as turn } from 'node:timers/promises'
import { peerOf } from './peers/index.ts'
import type { Waiting } from './peers/peer.ts'
import { type Case, type Figures, interleave, type Outcome } from './processes.ts'
import { median } from './statistics.ts'
import { controllersOf, longHold, type Signals, waysToWait } from './waiters.ts'

const WAITERS = { full: 100_000, smoke: 2_000 }
const ROUNDS = { full: 5, smoke: 1 }
const CAP_MS = 10_000

/** No peer: a promise that a listener of its own rejects. */
export const BARE_LISTENERS = 'bare listeners'
const BARE: Waiting = {
  call: (task) => task(),
  wait: (signal) =>
    new Promise((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason), { once: true })),
}

/** Signals of their own are aborted in the order of asking, or the last first. */
const ORDERS = ['first come', 'last come'] as const
type Order = (typeof ORDERS)[number]

export interface AbortRow {
  peer: string
  signals: Signals
  order: Order
  waiters: number
  /** Absent where a round takes longer than `capMs`. */
  ms?: number
  rounds: number[]
  capMs: number
}

export async function measureAborts(smoke: boolean): Promise<AbortRow[]> {
  const size = smoke ? 'smoke' : 'full'
  const waiters = WAITERS[size]
  const ways = waysToAbort()
  const cases = ways.map(({ peer, signals, order }) => abortCase(peer, signals, order, waiters))
  const outcomes = await interleave(cases, { rounds: ROUNDS[size], warmUp: false, capMs: CAP_MS })
  return ways.map((way, index) => ({ ...way, waiters, capMs: CAP_MS, ...summaryOf(outcomes[index]!) }))
}

function waysToAbort(): { peer: string; signals: Signals; order: Order }[] {
  const ofPeers = waysToWait().filter(({ signals }) => signals !== 'none')
  return [...ofPeers, { peer: BARE_LISTENERS, signals: 'own' as const }].flatMap(({ peer, signals }) =>
    (signals === 'own' ? ORDERS : ORDERS.slice(0, 1)).map((order) => ({ peer, signals, order })),
  )
}

export function abortCase(peer: string, signals: Signals, order: Order, waiters: number, repeats = 1): Case {
  return { file: import.meta.filename, args: [peer, signals, order, waiters, repeats] }
}

function summaryOf(outcome: Outcome): { ms?: number; rounds: number[] } {
  if (outcome === 'too slow') return { rounds: [] }
  const rounds = outcome.map(({ ms }) => ms!)
  return { ms: median(rounds), rounds }
}

type Args = [peer: string, signals: Signals, order: Order, waiters: number, repeats: number]

export async function open([peer, signals, order, waiters, repeats]: Args): Promise<() => Promise<Figures>> {
  return async () => {
    let ms = 0
    for (let left = repeats; left > 0; left -= 1) ms += (await abortAll(peer, signals, order, waiters)) / repeats
    return { ms }
  }
}

async function abortAll(peer: string, signals: Signals, order: Order, waiters: number): Promise<number> {
  const { controllers, signalOf } = controllersOf(signals, waiters)
  let rejected = 0
  const { wait, release } = await waitingOf(peer, signals === 'shared' ? signalOf(0) : undefined)
  const onAbort = (): void => {
    rejected += 1
  }
  for (let index = 0; index < waiters; index += 1) void wait(signalOf(index)).then(undefined, onAbort)
  await turn()
  if (order === 'last come') controllers.reverse()
  const startMs = performance.now()
  for (const controller of controllers) controller.abort()
  await turn()
  const ms = performance.now() - startMs
  release?.()
  if (rejected !== waiters) throw new Error(`${peer}: ${rejected} of ${waiters} were aborted`)
  return ms
}

function waitingOf(peer: string, signal: AbortSignal | undefined): Promise<Waiting> | Waiting {
  return peer === BARE_LISTENERS ? BARE : peerOf(peer).held!.open(longHold(signal))
}
