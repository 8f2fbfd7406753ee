/**
 * What it costs to read a response's rate headers: nanoseconds beside a bare `headers.get` of a header that is not there. Every response has
 * `Headers` of its own, as fetch gives them, made outside the time that is taken. Rounds of all cases are interleaved.
 */
import Table from 'cli-table3'
import { RateLimitReader, readRateLimit } from '../src/headers/index.ts'

const ROUNDS = 25
const RESPONSES = 4_000

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
}

interface Case {
  name: string
  headers: Record<string, string>
  read: (headers: Headers) => unknown
  /** Nanoseconds per response, by round. */
  rounds: number[]
}

const nowMs = Date.UTC(2026, 10, 30, 12)
let at = 0

function byReader(): (headers: Headers) => unknown {
  const reader = new RateLimitReader()
  return (headers) => reader.read(headers, { status: 200, nowMs, at: (at += 10) })
}

const bare: Case = { name: 'headers.get', headers: {}, read: (headers) => headers.get('x-ratelimit-limit'), rounds: [] }
const cases: Case[] = [
  bare,
  ...Object.entries(RATE_HEADERS).flatMap(([name, headers]): Case[] => [
    { name: `${name}: a reader that has seen it before`, headers, read: byReader(), rounds: [] },
    { name: `${name}: on its own`, headers, read: (each) => readRateLimit(each, { status: 200, nowMs }), rounds: [] },
  ]),
  ...[1, 8].map((kB): Case => {
    const headers = { ratelimit: '"a";r=1;t=1, '.repeat((kB * 1_024) / 13 - 1) }
    return { name: `a header of ${kB} kB: on its own`, headers, read: (each) => readRateLimit(each), rounds: [] }
  }),
]

for (const each of cases) round(each)
for (let index = 0; index < ROUNDS; index += 1) for (const each of cases) each.rounds.push(round(each))

console.log(`Node ${process.version}, medians of ${ROUNDS} interleaved rounds of ${RESPONSES} responses`)
const table = new Table({
  head: ['', 'ns', 'beside headers.get'],
  colAligns: ['left', 'right', 'right'],
  style: { head: [] },
})
for (const { name, rounds } of cases)
  table.push([name, median(rounds).toFixed(0), (median(rounds) / median(bare.rounds)).toFixed(1)])
console.log(table.toString())

function round({ headers, read }: Case): number {
  const responses = Array.from({ length: RESPONSES }, () => new Headers({ ...ORDINARY, ...headers }))
  const startNs = process.hrtime.bigint()
  for (const each of responses) read(each)
  return Number(process.hrtime.bigint() - startNs) / RESPONSES
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1]!
}
