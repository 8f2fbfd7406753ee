/**
 * The same burst through plain `fetch` and through headgate, each against an upstream of its own on loopback, and what that upstream
 * saw. Exits with 1 where headgate draws a 429, overshoots the limit, or leaves more than 5 % of it unused.
 */
import Table from 'cli-table3'
import ora from 'ora'
import { createHeadgate } from '../src/index.ts'
import { createUpstream } from '../src/testing/index.ts'
import { type Limit, percent, type Run, shareOfCeiling, shortfalls } from './result.ts'

const LIMIT: Limit = { limit: 100, windowMs: 4_000 }
const REQUESTS = 400
const CONCURRENCY = 25

/** Four bursts take three windows, 12 s. What has no answer by then is given up, so that the demo always ends. */
const GIVE_UP_MS = 16_000

/** The wait for an answer is part of each window, and so part of what headgate cannot use: 10 ms in 4 000 are 0.2 %. */
const LATENCY = { upMs: { minMs: 2, maxMs: 6 }, downMs: { minMs: 2, maxMs: 6 } }

type Send = (url: string, signal: AbortSignal) => Promise<Response>

await main()

async function main(): Promise<void> {
  const { limit, windowMs } = LIMIT
  console.log(`${REQUESTS} requests from ${CONCURRENCY} workers; the upstream allows ${limit} in any ${windowMs} ms.`)
  const plain = await runOf('plain fetch', (url, signal) => fetch(url, { signal }))
  const paced = await runPaced()
  console.log(tableOf([plain, paced]))
  const found = shortfalls(paced, LIMIT)
  for (const each of found) console.error(`headgate fell short: ${each}`)
  if (found.length > 0) process.exitCode = 1
}

async function runPaced(): Promise<Run> {
  const headgate = createHeadgate({ upstreams: { '127.0.0.1': { limits: LIMIT, concurrency: CONCURRENCY } } })
  try {
    return await runOf('headgate', (url, signal) => headgate.fetch(url, { signal }))
  } finally {
    await headgate.close()
  }
}

/** Sends all requests to a fresh upstream. */
async function runOf(client: string, send: Send): Promise<Run> {
  const upstream = createUpstream({ limits: LIMIT, countRefused: true, headers: 'x-ratelimit', latency: LATENCY })
  const server = await upstream.listen()
  try {
    const durationMs = await burst(client, (signal) => send(server.url, signal))
    const { requests, throttled, busiestWindow } = upstream.report()
    const accepted = upstream.log.filter(({ status }) => status === 200)
    const acceptedAtMs = accepted.map(({ countedAtMs }) => countedAtMs)
    return { client, asked: REQUESTS, requests, throttled, busiestWindow, acceptedAtMs, durationMs }
  } finally {
    await server.close()
  }
}

/** Sends all requests, and tells how far it has got. Returns how long it took, in ms. */
async function burst(client: string, send: (signal: AbortSignal) => Promise<Response>): Promise<number> {
  const signal = AbortSignal.timeout(GIVE_UP_MS)
  const startMs = performance.now()
  const elapsed = (): string => `${((performance.now() - startMs) / 1000).toFixed(1)} s`
  const line = ora({ text: client, color: process.env['NO_COLOR'] ? false : 'cyan' }).start()
  let left = REQUESTS
  let answered = 0
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      // The connection is free for the next request once the body has been read.
      await (await send(signal)).text()
      answered += 1
      line.text = `${client}: ${answered} of ${REQUESTS} answered in ${elapsed()}`
    }
  }
  await Promise.allSettled(Array.from({ length: CONCURRENCY }, work))
  const text = `${client}: ${answered} of ${REQUESTS} answered in ${elapsed()}`
  line.stopAndPersist({ symbol: answered === REQUESTS ? '✔' : '✖', text })
  return performance.now() - startMs
}

function tableOf(runs: readonly Run[]): string {
  const table = new Table({
    head: ['', 'requests', '429s', 'busiest window', 'limit', 'share of the ceiling', 'duration'],
    colAligns: ['left', 'right', 'right', 'right', 'right', 'right', 'right'],
    style: { head: [], border: [] },
  })
  for (const run of runs) {
    const share = percent(shareOfCeiling(run, LIMIT))
    const duration = `${(run.durationMs / 1000).toFixed(1)} s`
    table.push([run.client, run.requests, run.throttled, run.busiestWindow, LIMIT.limit, share, duration])
  }
  return table.toString()
}
