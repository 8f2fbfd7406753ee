import { readRateLimit, RateLimitReader } from '../../src/headers/index.ts'
import { createRandom, type Random } from '../../src/random.ts'
import { assertSane } from './sane.ts'
import { vectors } from './vectors.ts'

const STATUSES = [200, 204, 301, 304, 400, 401, 403, 418, 429, 500, 503, 529, undefined]

/** Texts that readers have stumbled over. */
const ODD = [
  '',
  ' ',
  '-1',
  '-0',
  '1e3',
  '0x10',
  'NaN',
  'Infinity',
  '1'.repeat(400),
  '9007199254740993',
  '0.1.2',
  '"',
  ';;;',
  ',,,',
]
const ODD_TOO = [
  '{',
  '{"limit":1e999}',
  '[]',
  'null',
  '1/0',
  '0/0',
  '-1/-1',
  '::',
  '1:',
  ';w=',
  '"a";q=1;w=0',
  '1h1h',
  '1m2',
  's',
]

/** Reads so many header sets: structured mutations of real ones, and bytes of chance. Returns how many told a limit. */
export function fuzz(count: number, seed: number): number {
  const random = createRandom(seed)
  let told = 0
  let reader = new RateLimitReader()
  for (let run = 0; run < count; run++) {
    const vector = pick(vectors, random)
    const headers = mutated(vector.headers, random)
    const nowMs = random() < 0.9 ? Date.parse(vector.now) : random() * 1e16 - 5e15
    const received = { status: pick(STATUSES, random), nowMs }
    const dialect = random() < 0.3 ? vector.dialect : undefined
    const observation = readRateLimit(headers, { ...received, dialect })
    assertSane(observation)
    if (observation.limits.length > 0) told += 1
    if (run % 50 === 0) reader = new RateLimitReader(dialect)
    assertSane(reader.read(headers, { ...received, at: run * random() * 1_000 }))
  }
  return told
}

type Any = Record<string, string | string[]>

function mutated(headers: Readonly<Record<string, string>>, random: Random): Any {
  const all: Any = { ...headers }
  const names = Object.keys(headers)
  for (let changes = Math.floor(random() * 4); changes > 0; changes--) {
    const name = random() < 0.8 ? pick(names, random) : pick(Object.keys(pick(vectors, random).headers), random)
    all[name] = change(String(all[name] ?? '1'), random)
  }
  if (random() < 0.05) all[pick(names, random)] = [pick(ODD, random), String(random()), pick(ODD_TOO, random)]
  return all
}

function change(text: string, random: Random): string {
  const at = Math.floor(random() * (text.length + 1))
  const kinds = [
    () => pick(ODD, random),
    () => pick(ODD_TOO, random),
    () => text.slice(0, at),
    () => text.slice(0, at) + bytes(1 + random() * 4, random) + text.slice(at),
    () => text.slice(0, at) + String(Math.floor(random() * 10)) + text.slice(at + 1),
    () => `${text}, ${text}`,
    () => `-${text}`,
    () => `${text}${pick(['s', 'ms', 'h', 'Z', ';w=1', '.5', '%'], random)}`,
    () => bytes(random() * 40, random),
    () => (random() < 0.05 ? bytes(8_192 * random(), random) : String(random() * 1e18)),
    () => text.repeat(1 + Math.floor(random() * 20)),
    () => pick(Object.values(pick(vectors, random).headers), random),
  ]
  return pick(kinds, random)()
}

function bytes(length: number, random: Random): string {
  let text = ''
  for (let left = Math.floor(length); left > 0; left--) text += String.fromCharCode(Math.floor(random() * 256))
  return text
}

function pick<T>(from: readonly T[], random: Random): T {
  return from[Math.floor(random() * from.length)]!
}
