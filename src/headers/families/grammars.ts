import type { Reading } from '../../gate/observation.ts'
import { type Context, type Family, type Get, stated, unitOf } from '../family.ts'
import { readMembers } from '../lists.ts'
import { readDecimal, readThousandths, readUnsigned } from '../numbers.ts'
import { readWait } from '../waits.ts'
import { windowMsOf } from './named.ts'
import { DAY, MINUTE } from '../spans.ts'
import { MAX_NAME_CHARS, splitOnce } from '../text.ts'

const QUARTER = 15 * MINUTE

/** Values that are more than a number, one grammar for each vendor. */
export const grammars: readonly Family[] = [
  { headers: { calls: 'x-shopify-shop-api-call-limit' }, read: readShopify },
  { headers: { usage: 'sforce-limit-info' }, read: readSalesforce },
  { headers: { budget: 'zendesk-ratelimit-*' }, read: readZendesk },
  { headers: { limit: 'x-app-rate-limit', count: 'x-app-rate-limit-count' }, read: (get) => readRiot('app', get) },
  {
    headers: { limit: 'x-method-rate-limit', count: 'x-method-rate-limit-count' },
    read: (get) => readRiot('method', get),
  },
  {
    headers: { limit: 'x-ratelimit-limit', usage: 'x-ratelimit-usage' },
    needs: 'usage',
    common: true,
    read: (get, context) => readStrava('', get, context),
  },
  {
    headers: { limit: 'x-readratelimit-limit', usage: 'x-readratelimit-usage' },
    read: (get, context) => readStrava('read-', get, context),
  },
  { headers: { limits: 'x-sentry-rate-limits' }, read: readSentry },
  {
    headers: { utilization: 'anthropic-ratelimit-unified-*-utilization', reset: 'anthropic-ratelimit-unified-*-reset' },
    read: readUnified,
  },
  { headers: { reset: 'anthropic-ratelimit-unified-reset' }, read: () => [] },
]

/** `32/40`: used and size of a bucket that leaks in 20 s, whatever its size. */
function readShopify(get: Get): readonly Reading[] {
  const ratio = readRatio(get('calls'))
  return ratio ? [stated({ ...ratio, windowMs: 20_000 })] : []
}

/** `api-usage=18/5000, per-app-api-usage=17/250(appName=sample)`. */
function readSalesforce(get: Get): readonly Reading[] {
  return readMembers(get('usage')).flatMap(({ value }) => {
    const [name, rest] = splitOnce(value, '=')
    const ratio = readRatio(splitOnce(rest, '(')[0])
    return ratio && name.length <= MAX_NAME_CHARS ? [stated({ name, ...ratio })] : []
  })
}

/** `total=100; remaining=99; resets=41`. */
function readZendesk(get: Get, context: Context): readonly Reading[] {
  const entries = new Map(parts(get('budget'), ';').map((part) => splitOnce(part, '=')))
  const limit = readUnsigned(entries.get('total'))
  const remaining = readDecimal(entries.get('remaining'))
  if (limit === undefined || remaining === undefined) return []
  const reset = readWait(entries.get('resets'), context.now)
  return [stated({ name: context.name, limit, remaining, resetInMs: reset?.waitMs, resetStepMs: reset?.stepMs })]
}

/** `20:1,100:120`: units and seconds of each window, and `1:1,58:120` of what is counted in it. */
function readRiot(scope: string, get: Get): readonly Reading[] {
  const counted = new Map(pairs(get('count')).map(({ count, windowMs }) => [windowMs, count]))
  return pairs(get('limit')).map(({ count: limit, windowMs }) => {
    const used = counted.get(windowMs)
    const remaining = used === undefined ? undefined : limit - used
    return stated({ name: `${scope}:${windowMs / 1_000}`, limit, remaining, windowMs })
  })
}

function pairs(text: string | undefined): { count: number; windowMs: number }[] {
  return readMembers(text).flatMap(({ value }) => {
    const [count, seconds] = splitOnce(value, ':')
    const read = readUnsigned(count)
    const windowMs = readThousandths(seconds)
    return read === undefined || !windowMs ? [] : [{ count: read, windowMs }]
  })
}

/** `200,2000`: a quarter of an hour and a day, both by the calendar in UTC. */
function readStrava(prefix: string, get: Get, { now }: Context): readonly Reading[] {
  const { nowMs } = now
  const [limits, usages] = [readUnits(get('limit')), readUnits(get('usage'))]
  const windows = [
    ['15min', QUARTER],
    ['day', DAY],
  ] as const
  return windows.flatMap(([name, windowMs], index) => {
    const [limit, used] = [limits[index], usages[index]]
    if (limit === undefined || used === undefined) return []
    const resetInMs =
      nowMs === undefined ? undefined : windowMs - Math.floor(((nowMs % windowMs) + windowMs) % windowMs)
    return [stated({ name: prefix + name, limit, remaining: limit - used, used, windowMs, kind: 'fixed', resetInMs })]
  })
}

function readUnits(text: string | undefined): (number | undefined)[] {
  return readMembers(text).map(({ value }) => readUnsigned(value))
}

/** `60:transaction:key, 2700:default;error:organization`: seconds and the categories that are shut, none of them for all. */
function readSentry(get: Get, context: Context): readonly Reading[] {
  const shut = new Map<string, Reading>()
  for (const part of parts(get('limits'), ',')) {
    const [seconds, rest] = splitOnce(part, ':')
    const [categories] = splitOnce(rest, ':')
    const wait = readWait(seconds, context.now)
    if (wait === undefined) continue
    for (const category of categories.split(';', 16)) {
      const known = shut.get(category)?.resetInMs ?? 0
      const name = category === '' ? '*' : category.slice(0, MAX_NAME_CHARS)
      if (wait.waitMs >= known)
        shut.set(
          category,
          stated({ name, remaining: 0, resetInMs: wait.waitMs, resetStepMs: wait.stepMs, unit: unitOf(category) }),
        )
    }
  }
  return [...shut.values()]
}

/** A part of the quota, 0 to 1, of a window that is its name. */
function readUnified(get: Get, context: Context): readonly Reading[] {
  const used = readUnsigned(get('utilization'))
  if (used === undefined) return []
  const reset = readWait(get('reset'), context.now)
  const windowMs = windowMsOf(context.name)
  return [
    stated({
      name: context.name,
      limit: 1,
      used,
      windowMs,
      resetInMs: reset?.waitMs,
      resetStepMs: reset?.stepMs,
      unit: 'share',
    }),
  ]
}

function readRatio(text = ''): { limit: number; remaining: number; used: number } | undefined {
  const [used, limit] = splitOnce(text, '/').map((part) => readUnsigned(part))
  return used === undefined || limit === undefined ? undefined : { limit, remaining: limit - used, used }
}

/** The first 16, trimmed. */
function parts(text = '', separator: string): string[] {
  return text.split(separator, 16).map((part) => part.trim())
}
