/**
 * What it costs to read a response's rate headers, beside a bare `headers.get` of a header that is not there. Every response has `Headers` of its
 * own, as fetch gives them, made outside the time that is taken.
 */
import { readRateLimit } from '../built.ts'
// What a gate keeps between responses is not for its users to make.
import { RateLimitReader } from '../../src/headers/index.ts'
import { type Figures, interleave } from './processes.ts'
import { median } from './statistics.ts'

const RESPONSES = { full: 4_000, smoke: 200 }
const ROUNDS = { full: 15, smoke: 2 }

/** What a response carries besides. */
const ORDINARY = {
  'cache-control': 'private, max-age=0',
  connection: 'keep-alive',
  'content-encoding': 'gzip',
  'content-length': '1234',
  'content-type': 'application/json; charset=utf-8',
  date: 'Mon, 30 Nov 2026 12:00:00 GMT',
  etag: '"5c9-17e2"',
  server: 'nginx',
  'strict-transport-security': 'max-age=31536000',
  vary: 'accept-encoding',
  'x-request-id': '17e2c6b0',
}

const RATE_HEADERS: Record<string, Record<string, string>> = {
  'no rate header': {},
  'x-ratelimit, epoch seconds': {
    'x-ratelimit-limit': '5000',
    'x-ratelimit-remaining': '4987',
    'x-ratelimit-reset': '1796041200',
  },
  'ratelimit, seconds': { 'ratelimit-limit': '100', 'ratelimit-remaining': '40', 'ratelimit-reset': '30' },
  'structured, two limits': {
    'ratelimit-policy': '"hour";q=1000;w=3600, "day";q=5000;w=86400',
    ratelimit: '"hour";r=900;t=1200, "day";r=100;t=36000',
  },
  'OpenAI, requests and tokens': {
    'x-ratelimit-limit-requests': '5000',
    'x-ratelimit-limit-tokens': '160000',
    'x-ratelimit-remaining-requests': '4999',
    'x-ratelimit-remaining-tokens': '159976',
    'x-ratelimit-reset-requests': '12ms',
    'x-ratelimit-reset-tokens': '9ms',
  },
  'a header of 8 kB': { ratelimit: '"a";r=1;t=1, '.repeat(8_192 / 13 - 1) },
}

const NOW_MS = Date.UTC(2026, 10, 30, 12)
const WAYS = ['headers.get', 'on its own', 'by a reader that has seen it before'] as const
type Way = (typeof WAYS)[number]

export interface HeaderRow {
  headers: string
  way: Way
  /** Nanoseconds a response, median of the rounds. */
  ns: number
  rounds: number[]
}

export async function measureHeaderReading(smoke: boolean): Promise<HeaderRow[]> {
  const size = smoke ? 'smoke' : 'full'
  const rows = Object.keys(RATE_HEADERS).flatMap((headers) =>
    (headers === 'no rate header' ? WAYS : WAYS.slice(1)).map((way) => ({ headers, way })),
  )
  const cases = rows.map(({ headers, way }) => ({ file: import.meta.filename, args: [headers, way, RESPONSES[size]] }))
  const outcomes = await interleave(cases, { rounds: ROUNDS[size] })
  return rows.map((row, index) => {
    const rounds = (outcomes[index] as readonly Figures[]).map(({ ns }) => ns!)
    return { ...row, ns: median(rounds), rounds }
  })
}

export async function open([name, way, count]: [string, Way, number]): Promise<() => Promise<Figures>> {
  const headers = RATE_HEADERS[name]!
  const read = readingBy(way)
  const round = async (): Promise<Figures> => {
    const responses = Array.from({ length: count }, () => new Headers({ ...ORDINARY, ...headers }))
    const startCpu = process.cpuUsage()
    for (const each of responses) read(each)
    const { user, system } = process.cpuUsage(startCpu)
    return { ns: ((user + system) * 1e3) / count }
  }
  for (let left = 5; left > 0; left -= 1) await round()
  return round
}

function readingBy(way: Way): (headers: Headers) => unknown {
  if (way === 'headers.get') return (headers) => headers.get('x-ratelimit-limit')
  if (way === 'on its own') return (headers) => readRateLimit(headers, { status: 200, nowMs: NOW_MS })
  const reader = new RateLimitReader()
  let at = 0
  return (headers) => reader.read(headers, { status: 200, nowMs: NOW_MS, at: (at += 10) })
}
