/** One process of a scenario: `play.ts` forks it, tells it to begin, and is told what became of its calls. */
import { setTimeout as pause } from 'node:timers/promises'
import { type Clock, createHeadgate, isRateLimitError, systemClock } from '../../../src/index.ts'
import { type Engine, fromIoredis, fromNodeRedis, sharedBudget } from '../../../src/shared/index.ts'
import { sharedNow } from '../../fleet/messages.ts'
import { send } from '../../fleet/send.ts'
import { watched, watchedClient } from '../../fleet/watched.ts'
import type { CallerReport, CallerSettings, CallResult, SharedSettings, Word } from './messages.ts'

const settings = JSON.parse(process.argv[2]!) as CallerSettings
const told: Omit<CallerReport, 'calls'> = { degraded: [], slowestCallMs: 0, unknownScripts: 0 }
const headgate = createHeadgate({
  ...settings.config,
  clock: clockAhead(settings.clockAheadMs ?? 0),
  fetch: send,
  ...(settings.shared && { shared: await budgetOf(settings.shared) }),
})
headgate.on('headgate:degrade', ({ via, why }) => told.degraded.push([via, why]))

process.once('message', () => void callAll())
process.once('disconnect', () => process.exit())
await rehearse()
tell({ type: 'ready' })

function tell(word: Word, sent = (): void => {}): void {
  process.send!(word, sent)
}

/** Code that has never run is slow, and none of that is to come between a permit and the upstream. */
async function rehearse(): Promise<void> {
  await Promise.all(Array.from({ length: 20 }, () => createHeadgate({ fetch: send }).fetch(settings.rehearsalUrl)))
}

async function callAll(): Promise<void> {
  const instants = settings.calls.flatMap(({ atMs, count }) => Array<number>(count).fill(atMs))
  const [calls] = await Promise.all([Promise.all(instants.map(callAfter)), pause(settings.stayMs ?? 0)])
  tell({ type: 'report', report: { calls, ...told } }, () => process.exit())
}

async function callAfter(atMs: number, number: number): Promise<CallResult> {
  if (atMs > 0) await pause(atMs)
  const askedAt = sharedNow()
  try {
    const response = await headgate.fetch(`${settings.url}&call=${number}`)
    return { outcome: response.status, grantedAt: askedAt + (headgate.inspect(response)?.waitedMs ?? 0) }
  } catch (error) {
    return { outcome: isRateLimitError(error) ? error.reason : String(error), grantedAt: askedAt }
  }
}

/** A machine whose time is ahead of that of others. */
function clockAhead(byMs: number): Clock {
  return { ...systemClock, now: () => systemClock.now() + byMs, wallNow: () => systemClock.wallNow() + byMs }
}

async function budgetOf({ port, client, ...options }: SharedSettings) {
  const engine = await (client === 'node-redis' ? overNodeRedis(port) : overIoredis(port))
  const called = (tookMs: number): void => void (told.slowestCallMs = Math.max(told.slowestCallMs, tookMs))
  return sharedBudget({ engine: watched(engine, { fault: () => {}, called }), ...options })
}

/** Where there is a store, it is reached before there is anything to do. */
async function overIoredis(port: number): Promise<Engine> {
  const { Redis } = await import('ioredis')
  const client = new Redis(port, '127.0.0.1', { retryStrategy: () => 300, maxRetriesPerRequest: 1 })
  client.on('error', () => {})
  await client.ping().catch(() => {})
  const fault = (kind: string): void => void (told.unknownScripts += kind === 'unknown script' ? 1 : 0)
  return fromIoredis(watchedClient(client, fault))
}

async function overNodeRedis(port: number): Promise<Engine> {
  const { createClient } = await import('redis')
  const client = createClient({ socket: { host: '127.0.0.1', port, reconnectStrategy: 300 } })
  client.on('error', () => {})
  client.connect().catch(() => {})
  return fromNodeRedis(client)
}
