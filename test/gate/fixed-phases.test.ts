import { expect, test } from 'vitest'
import { readRateLimit } from '../../src/headers/index.ts'
import { setUpGate, windowMs } from '../support/set-up-gate.ts'

const limit = 100

type Told = 'ceiled' | 'floored' | 'milliseconds'

function resetHeader(epochMs: number, told: Told): string {
  if (told === 'milliseconds') return String(epochMs)
  return String(told === 'ceiled' ? Math.ceil(epochMs / 1_000) : Math.floor(epochMs / 1_000))
}

/**
 * A server whose fixed windows end `phaseMs` after the full minute, and whose Date header is cut to whole seconds. One attempt
 * `beforeMs` before the end of a window is told of it; the gate then sends all it can, in the last moments of that window and
 * ever after.
 * @returns What each of the server's windows holds.
 */
async function windowsOf(told: Told, phaseMs: number, beforeMs: number): Promise<number[]> {
  const { clock, gate } = setUpGate({ limits: { limit, windowMs, kind: 'fixed' } })
  const counts = new Map<number, number>()
  const endAfter = (now: number): number => phaseMs + windowMs * (Math.floor((now - phaseMs) / windowMs) + 1)
  const send = async (tells: boolean): Promise<boolean> => {
    const permit = gate.tryAcquire()
    if (permit === undefined) return false
    const end = endAfter(clock.now())
    counts.set(end, (counts.get(end) ?? 0) + 1)
    const headers = {
      date: new Date(Math.floor(clock.wallNow() / 1_000) * 1_000).toUTCString(),
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': String(limit - counts.get(end)!),
      'x-ratelimit-reset': resetHeader(clock.wallNow() + end - clock.now(), told),
    }
    if (tells) await clock.advance(5)
    permit.settle(tells ? readRateLimit(headers, { status: 200, nowMs: clock.wallNow() }) : undefined)
    permit.release()
    return true
  }
  const sendAll = async (): Promise<void> => {
    while (await send(false));
  }
  const end = endAfter(2 * windowMs)
  await clock.advance(end - beforeMs)
  await send(true)
  for (const [at, step] of [
    [end + 50, 50],
    [end + 3 * windowMs, 250],
  ] as const) {
    while (clock.now() < at) await clock.advance(step)
    await sendAll()
  }
  return [...counts.values()]
}

const phases = [0, 1, 200, 500, 900, 999]

test.each(['ceiled', 'floored', 'milliseconds'] as const)(
  'no window of the server holds more than the limit where resets are %s and its Date is cut to seconds',
  async (told) => {
    for (const phaseMs of phases)
      for (const beforeMs of [100, 950, 1_100, 30_050])
        expect([phaseMs, beforeMs, Math.max(...(await windowsOf(told, phaseMs, beforeMs)))]).toEqual([
          phaseMs,
          beforeMs,
          limit,
        ])
  },
)
