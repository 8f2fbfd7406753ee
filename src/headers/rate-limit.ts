import type { Reading } from '../gate/observation.ts'
import type { Family } from './family.ts'
import { readMembers } from './lists.ts'
import { readDecimal } from './numbers.ts'
import { type Policies, readPolicies, readWindow } from './policies.ts'
import { readWait, type Wait } from './waits.ts'

type Stated = { [Field in keyof Reading]: Reading[Field] | undefined }

/**
 * The headers `<prefix>limit`, `<prefix>remaining`, `<prefix>used` and `<prefix>reset`, any of which may be missing. A
 * malformed value drops its own field and no other.
 *
 * - limit: 0 or more, may have a fraction, may list policies (see `readPolicies`); further policies are readings of
 *   their own
 * - remaining: may have a fraction, may be negative, may state its window (`0;w=21600`)
 * - used: 0 or more
 * - reset: any form of `readWait`; 0 when it has passed, absent when negative
 */
export function rateLimitFamily(prefix: string): Family {
  return (fields, { nowMs }) => {
    const read = <T>(name: string, reader: (text: string) => T | undefined) => {
      const text = fields.get(prefix + name)
      return text === undefined ? undefined : reader(text)
    }
    const policies = read('limit', readPolicies)
    const main = mainReading({
      policies,
      remaining: read('remaining', readCount),
      used: read('used', readCount),
      reset: read('reset', (text) => readReset(text, nowMs)),
    })
    const others = (policies?.others ?? []).map(({ limit, windowMs, name }) => stated({ name, limit, windowMs }))
    return saysSomething(main) ? [main, ...others] : others
  }
}

interface Count {
  value: number | undefined
  windowMs: number | undefined
}

interface Parts {
  policies: Policies | undefined
  remaining: Count | undefined
  used: Count | undefined
  reset: Wait | undefined
}

function mainReading({ policies, remaining, used, reset }: Parts): Reading {
  return stated({
    name: policies?.own.name,
    limit: policies?.own.limit,
    remaining: remaining?.value,
    used: used?.value !== undefined && used.value >= 0 ? used.value : undefined,
    windowMs: policies?.own.windowMs ?? remaining?.windowMs,
    resetInMs: reset?.waitMs,
    resetStepMs: reset?.stepMs,
  })
}

/** The first member alone: a list is what repeated headers are joined to. */
function readCount(text: string): Count | undefined {
  const [member] = readMembers(text)
  return member && { value: readDecimal(member.value), windowMs: readWindow(member) }
}

/** The whole text comes first: an HTTP date has a comma in it. */
function readReset(text: string, nowMs: number | undefined): Wait | undefined {
  return readWait(text, nowMs) ?? readWait(readMembers(text)[0]?.value ?? '', nowMs)
}

/** A window alone says nothing. */
function saysSomething({ limit, remaining, used, resetInMs }: Reading): boolean {
  return limit !== undefined || remaining !== undefined || used !== undefined || resetInMs !== undefined
}

function stated(fields: Stated): Reading {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Reading
}
