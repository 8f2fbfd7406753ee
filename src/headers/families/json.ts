import type { Reading } from '../../gate/observation.ts'
import { type Context, type Family, type Get, stated } from '../family.ts'
import { maxWaitMs, readWait } from '../waits.ts'
import { MAX_NAME_CHARS } from '../text.ts'

/** Values that are JSON. */
export const json: readonly Family[] = [
  { headers: { limit: 'x-ratelimit' }, read: readBasecamp },
  { headers: { usage: 'x-app-usage' }, read: (get) => readUsage(parse(get('usage'))) },
  { headers: { usage: 'x-ad-account-usage' }, read: (get) => readUsage(parse(get('usage'))) },
  { headers: { usage: 'x-business-use-case-usage' }, read: readBusiness },
]

/** `{"name":"API","period":10,"limit":50,"remaining":0,"until":"2016-01-01T12:00:20Z"}`. */
function readBasecamp(get: Get, context: Context): readonly Reading[] {
  const { name, period, limit, remaining, until } = parse(get('limit'))
  const reset = typeof until === 'string' ? readWait(until, context.now) : undefined
  if (numberIn(limit) === undefined && numberIn(remaining) === undefined) return []
  const seconds = numberIn(period)
  return [
    stated({
      name: typeof name === 'string' && name.length <= MAX_NAME_CHARS ? name : undefined,
      limit: numberIn(limit),
      remaining: numberIn(remaining),
      windowMs: seconds && seconds * 1_000 <= maxWaitMs ? Math.ceil(seconds * 1_000) : undefined,
      resetInMs: reset?.waitMs,
      resetStepMs: reset?.stepMs,
    }),
  ]
}

const PERCENTAGES = ['call_count', 'total_cputime', 'total_time', 'acc_id_util_pct']

/** Meta's percentages of a rolling hour. */
function readUsage(usage: Record<string, unknown>, resetInMs?: number): Reading[] {
  return PERCENTAGES.flatMap((name) => {
    const percent = numberIn(usage[name])
    return percent === undefined ? [] : [stated({ name, limit: 1, used: percent / 100, resetInMs, unit: 'share' })]
  })
}

/** The same, by business and use case, with minutes until access comes back. Of several the first. */
function readBusiness(get: Get): readonly Reading[] {
  const [cases] = Object.values(parse(get('usage')))
  const first: unknown = Array.isArray(cases) ? cases[0] : undefined
  if (typeof first !== 'object' || first === null) return []
  const minutes = numberIn((first as Record<string, unknown>)['estimated_time_to_regain_access'])
  return readUsage(first as Record<string, unknown>, minutes ? Math.ceil(minutes * 60_000) : undefined)
}

/** What is no object has none of the members that are asked for. */
function parse(text = ''): Record<string, unknown> {
  try {
    return (JSON.parse(text) ?? {}) as Record<string, unknown>
  } catch {
    return {}
  }
}

/** 0 to 10^12: years in milliseconds, and more units than anybody sells. */
function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= 1e12 ? value : undefined
}
