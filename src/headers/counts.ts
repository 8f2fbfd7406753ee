import type { Reading } from '../gate/observation.ts'
import { type Context, type Family, type Get, stated } from './family.ts'
import { readMembers } from './lists.ts'
import { readDecimal, readThousandths } from './numbers.ts'
import { nameOf, readPolicies, readWindow, windowOf } from './policies.ts'
import { type Now, readMilliseconds, readWait, type Wait, type WaitUnit } from './waits.ts'

/**
 * How an upstream tells one limit, or with a `*` in the names of headers, which stands for what it is called, several. Headers that it does
 * not send are left out.
 */
export interface LimitHeaders {
  /** Header of the units allowed: `100`, or with policies `100, 100;w=60`. */
  limit?: string
  /** Header of the units left. */
  remaining?: string
  /** Header of the units counted. */
  used?: string
  /** Header of when it resets, in any of the usual forms. */
  reset?: string
  /** Header of the same in seconds from now, which goes before `reset`. */
  resetAfter?: string
  /** Header of the length of the window, in seconds. */
  window?: string
  /** Header of policies apart from the limit: `100;w=60`. */
  policy?: string
  /** Header of what the limit is called. */
  called?: string
  /** What the limit is called. Default: what `*` stands for. */
  name?: string
  /** What is counted. Default: requests. */
  unit?: string
  /** Length of the window in milliseconds, where no header tells it. */
  windowMs?: number
  /** Whether all units come back at the reset. Default: each comes back a window after it was spent. */
  kind?: 'rolling' | 'fixed'
  /** What a bare number in `reset` counts. Default `seconds`. */
  resetUnit?: WaitUnit
  /** What the number in `window` counts. Default `seconds`. */
  windowUnit?: WaitUnit
}

type Known<Field extends keyof LimitHeaders> = { [Each in Field]?: LimitHeaders[Each] | undefined }

/** What cannot be said of a limit by the names of its headers alone. */
interface Facts extends Known<'name' | 'unit' | 'windowMs' | 'kind' | 'resetUnit' | 'windowUnit'> {
  /** Where it depends on what `*` stands for. */
  of?: (name: string) => Known<'name' | 'unit' | 'windowMs'>
  common?: boolean
  /** What is used up comes back when the response says to try again. */
  resetsAtRetry?: boolean
}

const FIELDS = [
  'limit',
  'remaining',
  'used',
  'reset',
  'resetAfter',
  'window',
  'policy',
  'called',
  'bucket',
  'type',
  'label',
] as const

/** `bucket`, `type` and `label` name the limit too, where `called` does not. */
type Headers = { [Field in (typeof FIELDS)[number]]?: string }

/**
 * Reads counts from headers of their own, any of which may be missing. A malformed value drops its own field and no other.
 *
 * - limit: 0 or more, may have a fraction, may list policies (see `readPolicies`); further policies are readings of their own
 * - remaining: may have a fraction, may be negative, but for a -1 beside no limit, may state its window (`0;w=21600`)
 * - used: 0 or more; with remaining it makes up for a limit that is not stated
 * - reset: any form of `readWait`; 0 when it has passed, absent when negative
 */
export function counts(given: Headers, facts: Facts = {}): Family {
  const headers = Object.fromEntries(
    FIELDS.flatMap((field) => (given[field] ? [[field, given[field].toLowerCase()]] : [])),
  )
  const { common = false } = facts
  return { headers, common, read: (get, context) => readCounts(get, context, facts) }
}

/** A plain object that says how a limit is told, as a family. */
export function countsOf({ name, unit, windowMs, kind, resetUnit, windowUnit, ...headers }: LimitHeaders): Family {
  return counts(headers, { name, unit, windowMs, kind, resetUnit, windowUnit })
}

function readCounts(get: Get, context: Context, facts: Facts): readonly Reading[] {
  const policies = readPolicies(get('limit'), get('policy'))
  const remaining = read(get('remaining'), readCount)
  const counted = read(get('used'), readCount)?.value
  const used = counted !== undefined && counted >= 0 ? counted : undefined
  const limit = policies?.own.limit ?? sum(remaining?.value, used)
  const left = limit === undefined && remaining?.value === UNKNOWN ? undefined : remaining?.value
  const reset = resetOf(get, context, facts, left)
  const known = facts.of?.(context.name) ?? {}
  const main = stated({
    name:
      nameOf(get('called') ?? get('bucket') ?? get('type') ?? get('label')) ??
      policies?.own.name ??
      facts.name ??
      known.name ??
      nameOf(context.name),
    limit,
    remaining: left,
    used,
    windowMs:
      policies?.own.windowMs ??
      remaining?.windowMs ??
      statedWindow(get('window'), facts) ??
      known.windowMs ??
      facts.windowMs,
    kind: facts.kind,
    resetInMs: reset?.waitMs,
    resetStepMs: reset?.stepMs,
    unit: facts.unit ?? known.unit,
  })
  const own = saysSomething(main) ? [main] : []
  if (policies === undefined || policies.others.length === 0) return own
  return [...own, ...policies.others.map((policy) => stated({ ...policy, unit: main.unit }))]
}

function read<T>(text: string | undefined, reader: (text: string) => T | undefined): T | undefined {
  return text === undefined ? undefined : reader(text)
}

interface Count {
  value: number | undefined
  windowMs: number | undefined
}

/** The first member alone: a list is what repeated headers are joined to. */
function readCount(text: string): Count | undefined {
  const value = readDecimal(text)
  if (value !== undefined) return { value, windowMs: undefined }
  const [member] = readMembers(text)
  return member && { value: readDecimal(member.value), windowMs: readWindow(member) }
}

function sum(remaining: number | undefined, used: number | undefined): number | undefined {
  return remaining === undefined || used === undefined || remaining < 0 ? undefined : remaining + used
}

function resetOf(get: Get, context: Context, facts: Facts, remaining: number | undefined): Wait | undefined {
  const after = read(get('resetAfter'), (text) => readWait(text, context.now))
  if (after) return after
  const unit = facts.resetUnit ?? context.resetUnit
  const reset = read(get('reset'), (text) => readReset(text, context.now, unit))
  if (reset || !facts.resetsAtRetry || remaining === undefined || remaining > 0) return reset
  return context.retryAfterMs === undefined ? undefined : { waitMs: context.retryAfterMs, stepMs: 1_000 }
}

/** The whole text comes first: an HTTP date has a comma in it. */
function readReset(text: string, now: Now, unit: WaitUnit | undefined): Wait | undefined {
  return readWait(text, now, unit) ?? readWait(readMembers(text)[0]!.value, now, unit)
}

function statedWindow(text: string | undefined, { windowUnit }: Facts): number | undefined {
  return windowOf(windowUnit === 'milliseconds' ? readMilliseconds(text) : readThousandths(text))
}

/** Beside no limit this is what is left where nothing is known, not an overshoot of one. */
const UNKNOWN = -1

/** A window alone says nothing. */
function saysSomething({ limit, remaining, used, resetInMs }: Reading): boolean {
  return limit !== undefined || remaining !== undefined || used !== undefined || resetInMs !== undefined
}
