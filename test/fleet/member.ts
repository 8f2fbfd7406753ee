/** One process of a fleet: `scenario.ts` forks it, tells it what to do, and is told what became of it. */
import { Redis } from 'ioredis'
import { createHeadgate, isRateLimitError } from '../../src/index.ts'
import { fromIoredis, sharedBudget } from '../../src/shared/index.ts'
import { LIMIT, type MemberReport, type MemberSettings, type Order, sharedNow, type Word } from './messages.ts'
import { send } from './send.ts'
import { watched, watchedClient } from './watched.ts'

const settings = JSON.parse(process.argv[2]!) as MemberSettings

/**
 * What a careful user would configure: a connection that is silently dead is replaced, one that is gone is sought again soon, and no call
 * outlives its connection for long. The offline queue and the sending again after a reconnect are ioredis's defaults.
 */
const CLIENT = {
  socketTimeout: 1_000,
  connectTimeout: 1_000,
  maxRetriesPerRequest: 1,
  retryStrategy: (attempt: number) => Math.min(50 * attempt, 500),
}

const report = emptyReport()
const client = new Redis(settings.enginePort, '127.0.0.1', CLIENT)
const subscriber = client.duplicate()
for (const each of [client, subscriber]) each.on('error', () => {})

const engine = watched(fromIoredis(watchedClient(client, fault), { subscriber }), {
  fault,
  called: (tookMs) => report.engineCallsMs.push(tookMs),
})
const headgate = createHeadgate({
  upstreams: { '127.0.0.1': { limits: LIMIT, maxWaitMs: settings.maxWaitMs, retry: false } },
  shared: sharedBudget({ ...settings.shared, engine }),
  fetch: (input) => {
    if (isWithoutEngine) report.sentWithoutEngine += 1
    return send(input)
  },
})

let isWithoutEngine = false
headgate.on('headgate:degrade', ({ via, why }) => {
  isWithoutEngine = via !== 'engine'
  if (isWithoutEngine) fault(`${via}: ${why}`)
})
headgate.on('headgate:park', () => tell({ type: 'park', at: sharedNow() }))

process.on('message', (order: Order) => {
  if (order === 'begin') callOnAndOn(performance.now())
  if (order === 'count') Object.assign(report, emptyReport())
  if (order === 'report') process.send!({ type: 'report', report } satisfies Word, () => process.exit())
})
process.on('disconnect', () => process.exit())
await Promise.all([client.ping(), subscriber.ping()])
tell({ type: 'ready' })

function tell(word: Word): void {
  process.send!(word)
}

function emptyReport(): MemberReport {
  const counts = { calls: 0, served: 0, throttled: 0, failed: 0, sentWithoutEngine: 0 }
  return { ...counts, refused: {}, faults: {}, engineCallsMs: [] }
}

function fault(kind: string): void {
  report.faults[kind] = (report.faults[kind] ?? 0) + 1
}

/** Calls as they arrive. Those of a time in which the process stood still do not. */
function callOnAndOn(dueAt: number): void {
  const now = performance.now()
  let next = dueAt < now - 500 ? now : dueAt
  for (; next <= now; next += (-Math.log(1 - Math.random()) * 1_000) / settings.callsPerS) void call()
  setTimeout(() => callOnAndOn(next), next - now)
}

async function call(): Promise<void> {
  report.calls += 1
  try {
    const response = await headgate.fetch(settings.upstream)
    if (response.ok) report.served += 1
    else report.throttled += 1
  } catch (error) {
    if (isRateLimitError(error)) report.refused[error.reason] = (report.refused[error.reason] ?? 0) + 1
    else report.failed += 1
  }
}
