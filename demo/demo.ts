/**
 * The same burst through plain `fetch` and through headgate, each against an upstream of its own on loopback, and what that upstream
 * saw. Exits with 1 where headgate draws a 429, overshoots the limit, or leaves more than 5 % of it unused.
 */
import Table from 'cli-table3'
import ora from 'ora'
import { createHeadgate } from '../src/index.ts'
import { createUpstream } from '../src/testing/index.ts'
import { type Limit, percent, type Run, shareOfCeiling, shortfalls } from './result.ts'

/** Few requests and long windows: what a busy machine needs to send them is lost to the client, and must be small beside a window. */
const LIMIT: Limit = { limit: 30, windowMs: 7_000 }
const REQUESTS = 90
const CONCURRENCY = 25

/** Three bursts take two windows, 14 s. What has no answer by then is given up, so that the demo always ends. */
const GIVE_UP_MS = 17_000

/** The wait for an answer is part of each window, and so part of what headgate cannot use: 10 ms in 7 000 are 0.1 %. */
const LATENCY = { upMs: { minMs: 2, maxMs: 6 }, downMs: { minMs: 2, maxMs: 6 } }

/** A machine with too much to do holds a request up for longer than the 1 000 ms that are allowed for by default. */
const UPSTREAM = { limits: LIMIT, concurrency: CONCURRENCY, transitMs: Infinity }

type Send = (url: string, signal: AbortSignal) => Promise<Response>

const sendPlain: Send = (url, signal) => fetch(url, { signal })

await main()

async function main(): Promise<void> {
  const { limit, windowMs } = LIMIT
  console.log(`${REQUESTS} requests from ${CONCURRENCY} workers; the upstream allows ${limit} in any ${windowMs} ms.`)
  await warmUp()
  const plain = await runOf('plain fetch', sendPlain)
  const paced = await runPaced()
  console.log(tableOf([plain, paced]))
  const found = shortfalls(paced, LIMIT)
  for (const each of found) console.error(`headgate fell short: ${each}`)
  if (found.length > 0) process.exitCode = 1
}

/** The first requests of a process take it many times longer than later ones. They go to an upstream without limits. */
async function warmUp(): Promise<void> {
  const server = await createUpstream().listen()
  const headgate = createHeadgate()
  try {
    await eachRequest(sendPlain, server.url)
    await eachRequest((url, signal) => headgate.fetch(url, { signal }), server.url)
  } finally {
    await headgate.close()
    await server.close()
  }
}

async function runPaced(): Promise<Run> {
  const headgate = createHeadgate({ upstreams: { '127.0.0.1': UPSTREAM } })
  try {
    return await runOf('headgate', (url, signal) => headgate.fetch(url, { signal }))
  } finally {
    await headgate.close()
  }
}

/** Sends all requests to a fresh upstream, and tells how far it has got. */
async function runOf(client: string, send: Send): Promise<Run> {
  const upstream = createUpstream({ limits: LIMIT, countRefused: true, headers: 'x-ratelimit', latency: LATENCY })
  const server = await upstream.listen()
  const progress = showProgress(client)
  try {
    await eachRequest(send, server.url, progress.answered)
    const durationMs = progress.end()
    const { requests, throttled, busiestWindow } = upstream.report()
    const accepted = upstream.log.filter(({ status }) => status === 200)
    const acceptedAtMs = accepted.map(({ countedAtMs }) => countedAtMs)
    return { client, asked: REQUESTS, requests, throttled, busiestWindow, acceptedAtMs, durationMs }
  } finally {
    await server.close()
  }
}

/** Has the workers make all requests. A worker whose request fails makes no more, and says why. */
async function eachRequest(send: Send, url: string, answered = (): void => {}): Promise<void> {
  const signal = AbortSignal.timeout(GIVE_UP_MS)
  let left = REQUESTS
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      const response = await send(url, signal)
      // The connection is free for the next request once the body has been read.
      await response.text()
      answered()
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: CONCURRENCY }, work))
  const reasons = new Set(ended.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : [])))
  for (const reason of reasons) console.error(`requests failed: ${reason}`)
}

/** A live line on a terminal; elsewhere one line at the start and one at the end. */
function showProgress(client: string): { answered: () => void; end: () => number } {
  const startMs = performance.now()
  const color = process.env['NO_COLOR'] ? false : 'cyan'
  // On a terminal that says it is 0 wide, as a pseudo-terminal may, ora would clear lines for ever.
  const line = ora({ text: client, color, ...(process.stderr.columns === 0 ? { isEnabled: false } : {}) }).start()
  let count = 0
  const text = (): string => `${client}: ${count} of ${REQUESTS} answered in ${seconds(performance.now() - startMs)}`
  return {
    answered() {
      count += 1
      line.text = text()
    },
    end() {
      line.stopAndPersist({ symbol: count === REQUESTS ? '✔' : '✖', text: text() })
      return performance.now() - startMs
    },
  }
}

function tableOf(runs: readonly Run[]): string {
  const table = new Table({
    head: ['', 'requests', '429s', 'busiest window', 'limit', 'share of the ceiling', 'duration'],
    colAligns: ['left', 'right', 'right', 'right', 'right', 'right', 'right'],
    style: { head: [], border: [] },
  })
  for (const run of runs) {
    const share = percent(shareOfCeiling(run, LIMIT))
    const { client, requests, throttled, busiestWindow, durationMs } = run
    table.push([client, requests, throttled, busiestWindow, LIMIT.limit, share, seconds(durationMs)])
  }
  return table.toString()
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
