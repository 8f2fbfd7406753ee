/**
 * What a headgate costs a request over a real connection: requests per second on loopback with a limit set, readings on every response and a
 * listener on, beside the same without it.
 */
import { fork } from 'node:child_process'
import { join } from 'node:path'
import { Agent, type Dispatcher, request } from 'undici'
import { createHeadgate, type Headgate, headgateInterceptor } from '../built.ts'
import { type Figures, interleave } from './processes.ts'
import { median, medianRatio, quantile } from './statistics.ts'

const REQUESTS = { full: 10_000, smoke: 100 }
const ROUNDS = { full: 7, smoke: 2 }
const CONCURRENCY = 25

/** Before that much has run, it is the compiler that is measured. */
const WARM_UP = { full: 60_000, smoke: 100 }
const HUGE = 1_000_000_000

const PAIRS = [
  { bare: 'fetch', paced: 'headgate.fetch' },
  { bare: 'undici request', paced: 'headgate interceptor' },
  { bare: 'fetch', paced: 'headgate.fetch with a concurrency' },
  { bare: 'undici request', paced: 'headgate interceptor with a concurrency' },
] as const

type Way = (typeof PAIRS)[number]['bare' | 'paced']

export interface LoopbackRow {
  bare: string
  paced: string
  /** Requests per second, medians of the rounds. */
  barePerSecond: number
  pacedPerSecond: number
  /** Of the paced one's rate in the bare one's beside it, over the rounds. */
  ratio: { median: number; lowerQuartile: number; upperQuartile: number }
  /** What it adds to a request: microseconds of the processor's time in the client. */
  addedCpuUs: number
  rounds: { barePerSecond: number[]; pacedPerSecond: number[] }
}

/** One request, its body read. */
type Send = (url: string) => Promise<unknown>

export async function measureLoopback(smoke: boolean): Promise<LoopbackRow[]> {
  const size = smoke ? 'smoke' : 'full'
  const server = fork(join(import.meta.dirname, 'loopback-server.ts'))
  try {
    const port = await new Promise<number>((resolve) => server.once('message', (message) => resolve(message as number)))
    const url = `http://127.0.0.1:${port}/things`
    const ways = [...new Set<Way>(PAIRS.flatMap(({ bare, paced }) => [bare, paced]))]
    const cases = ways.map((way) => ({ file: import.meta.filename, args: [way, url, REQUESTS[size], WARM_UP[size]] }))
    // V8 decides for the life of a process which objects of a request are made in the old generation: each round is one of many.
    const outcomes = (await interleave(cases, { rounds: ROUNDS[size], fresh: true })) as (readonly Figures[])[]
    const figuresOf = (way: Way): readonly Figures[] => outcomes[ways.indexOf(way)]!
    return PAIRS.map((pair) => rowOf(pair, figuresOf(pair.bare), figuresOf(pair.paced)))
  } finally {
    server.disconnect()
  }
}

function rowOf(pair: (typeof PAIRS)[number], bare: readonly Figures[], paced: readonly Figures[]): LoopbackRow {
  const barePerSecond = bare.map(({ perSecond }) => perSecond!)
  const pacedPerSecond = paced.map(({ perSecond }) => perSecond!)
  const ratios = pacedPerSecond.map((rate, round) => rate / barePerSecond[round]!)
  return {
    ...pair,
    barePerSecond: median(barePerSecond),
    pacedPerSecond: median(pacedPerSecond),
    ratio: {
      median: medianRatio(pacedPerSecond, barePerSecond),
      lowerQuartile: quantile(ratios, 0.25),
      upperQuartile: quantile(ratios, 0.75),
    },
    addedCpuUs: median(paced.map(({ cpuUs }, round) => cpuUs! - bare[round]!.cpuUs!)),
    rounds: { barePerSecond, pacedPerSecond },
  }
}

type Args = [way: Way, url: string, requests: number, warmUp: number]

export async function open([way, url, requests, warmUp]: Args): Promise<() => Promise<Figures>> {
  const send = sendersOf(way)
  await rateOf(send, url, warmUp)
  return () => rateOf(send, url, requests)
}

function sendersOf(way: Way): Send {
  if (way === 'fetch') return async (url) => (await fetch(url)).text()
  if (way === 'undici request') return sendingBy(new Agent())
  const headgate = listened(way.endsWith('with a concurrency') ? HUGE : undefined)
  if (way.startsWith('headgate.fetch')) return async (url) => (await headgate.fetch(url)).text()
  return sendingBy(new Agent().compose(headgateInterceptor(headgate)))
}

function sendingBy(dispatcher: Dispatcher): Send {
  return async (url) => (await request(url, { dispatcher })).body.text()
}

/** Its limit and concurrency never hold anybody. */
function listened(concurrency: number | undefined): Headgate {
  const limits = { limit: HUGE, windowMs: 60_000 }
  const headgate = createHeadgate({ default: { limits, coldStartMs: 0, ...(concurrency && { concurrency }) } })
  let attempts = 0
  headgate.on('headgate:attempt', () => (attempts += 1))
  return headgate
}

async function rateOf(send: Send, url: string, requests: number): Promise<Figures> {
  const startMs = performance.now()
  const startCpu = process.cpuUsage()
  let left = requests
  const worker = async (): Promise<void> => {
    for (; left > 0;) {
      left -= 1
      await send(url)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
  const { user, system } = process.cpuUsage(startCpu)
  return { perSecond: (requests * 1_000) / (performance.now() - startMs), cpuUs: (user + system) / requests }
}
