/**
 * What a headgate costs a request over a real connection: requests per second on loopback with a limit set, readings on every response
 * and a listener on, beside the same without it. The server is another process. Rounds are interleaved and each is compared with the bare
 * one beside it, so that a machine that slows down slows both.
 */
import { fork } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Table from 'cli-table3'
import { Agent, request } from 'undici'
import { createHeadgate, type Headgate } from '../src/index.ts'
import { headgateInterceptor } from '../src/undici/index.ts'

const ROUNDS = Number(process.argv[2] ?? 15)
const REQUESTS = Number(process.argv[3] ?? 3_000)
const CONCURRENCY = 25

/** Before that much has run, it is the compiler that is measured. */
const WARM_UP = 20_000
const HUGE = 1_000_000_000
const BODY = JSON.stringify({ items: Array.from({ length: 20 }, (_, id) => ({ id, name: `item ${id}` })) })

/** One request, its body read. */
type Send = (url: string) => Promise<unknown>

interface Pair {
  name: string
  bare: Send
  paced: Send
  bareRates: number[]
  pacedRates: number[]
}

if (process.send) serve()
else await main()

/** A server that states what is left of its limits, in a process of its own. */
function serve(): void {
  let used = 0
  const server = createServer((_, response) => {
    used += 1
    const headers = { limit: HUGE, remaining: HUGE - used, reset: 60 }
    response.writeHead(200, {
      'content-type': 'application/json',
      'x-ratelimit-limit': headers.limit,
      'x-ratelimit-remaining': headers.remaining,
      'x-ratelimit-reset': headers.reset,
    })
    response.end(BODY)
  })
  server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))
  process.once('disconnect', () => process.exit())
}

async function main(): Promise<void> {
  const server = fork(import.meta.filename)
  const port = await new Promise<number>((resolve) => server.once('message', resolve))
  const url = `http://127.0.0.1:${port}/things`
  const pairs = [fetchPair(), interceptorPair()]
  for (const { bare, paced } of pairs) for (const send of [bare, paced]) await rateOf(send, url, WARM_UP)
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const pair of pairs) await runRound(pair, url, round % 2 === 0)
  }
  console.log(`Node ${process.version}, ${ROUNDS} rounds of ${REQUESTS} requests, ${CONCURRENCY} at a time`)
  console.log(tableOf(pairs))
  server.disconnect()
  process.exit()
}

/** Whoever goes first in one round goes second in the next. */
async function runRound({ bare, paced, bareRates, pacedRates }: Pair, url: string, bareFirst: boolean): Promise<void> {
  if (bareFirst) bareRates.push(await rateOf(bare, url))
  pacedRates.push(await rateOf(paced, url))
  if (!bareFirst) bareRates.push(await rateOf(bare, url))
}

function fetchPair(): Pair {
  const headgate = listened()
  return {
    name: 'headgate.fetch beside fetch',
    bare: async (url) => (await fetch(url)).text(),
    paced: async (url) => (await headgate.fetch(url)).text(),
    bareRates: [],
    pacedRates: [],
  }
}

function interceptorPair(): Pair {
  const agent = new Agent()
  const dispatcher = new Agent().compose(headgateInterceptor(listened()))
  const sendBy =
    (by: Agent): Send =>
    async (url) =>
      (await request(url, { dispatcher: by })).body.text()
  return {
    name: 'interceptor beside undici request',
    bare: sendBy(agent),
    paced: sendBy(dispatcher as Agent),
    bareRates: [],
    pacedRates: [],
  }
}

/** Its limit and concurrency never hold anybody. */
function listened(): Headgate {
  const limits = { limit: HUGE, windowMs: 60_000 }
  const headgate = createHeadgate({ default: { limits, concurrency: HUGE, coldStartMs: 0 } })
  let attempts = 0
  headgate.on('headgate:attempt', () => (attempts += 1))
  return headgate
}

/** Requests per second. */
async function rateOf(send: Send, url: string, requests = REQUESTS): Promise<number> {
  const startMs = performance.now()
  let left = requests
  const worker = async (): Promise<void> => {
    for (; left > 0;) {
      left -= 1
      await send(url)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
  return (requests * 1_000) / (performance.now() - startMs)
}

function tableOf(pairs: readonly Pair[]): string {
  const table = new Table({
    head: ['requests per second', 'bare', 'paced', 'ratio', 'lower quartile', 'upper quartile', 'costs'],
    colAligns: ['left', 'right', 'right', 'right', 'right', 'right', 'right'],
    style: { head: [], border: [] },
  })
  for (const { name, bareRates, pacedRates } of pairs) {
    const ratios = pacedRates.map((rate, round) => rate / bareRates[round]!)
    const [bare, paced] = [quantile(bareRates, 0.5), quantile(pacedRates, 0.5)]
    const quartiles = [0.5, 0.25, 0.75].map((share) => quantile(ratios, share).toFixed(3))
    const costUs = (1e6 / paced - 1e6 / bare).toFixed(1)
    table.push([name, Math.round(bare), Math.round(paced), ...quartiles, `${costUs} µs`])
  }
  return table.toString()
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) * share)]!
}
