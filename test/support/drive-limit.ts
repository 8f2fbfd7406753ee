import type { Block, Demand, LimitState } from '../../src/gate/limit.ts'
import type { Reading } from '../../src/gate/index.ts'
import type { Charge } from '../../src/gate/window.ts'

/** One attempt against one limit. */
interface Sent {
  order: number
  sentAt: number
  charge: Charge
  countedAt: number | undefined
}

/** Sends, counts and answers attempts against one limit, as a gate does. Time is the first argument of everything. */
export function drive(limit: LimitState) {
  let sends = 0
  let inFlight = 0
  const demand = (now: number): Demand => ({
    now,
    uncountedUntil: Infinity,
    idle: inFlight === 0,
    ignoreReadings: false,
  })
  const count = (now: number, sent: Sent): void => {
    if (sent.countedAt === undefined) limit.window.count(now, sent.charge.weight)
    sent.countedAt ??= now
  }
  return {
    send(now: number, weight = 1): Sent {
      limit.advance(now)
      const sent = { order: sends++, sentAt: now, charge: limit.window.send(now, weight), countedAt: undefined }
      limit.sent(sent, weight)
      inFlight++
      return sent
    },
    count,
    answer(now: number, sent: Sent, reading?: Reading, overrules = false): void {
      limit.advance(now)
      const { order, sentAt, charge } = sent
      if (reading) limit.read(reading, { order, sentAt, at: now, charge, overrules })
      count(now, sent)
      inFlight--
    },
    /** Sends and answers at once. */
    exchange(now: number, reading?: Reading, weight = 1): void {
      this.answer(now, this.send(now, weight), reading)
    },
    block(now: number, weight = 1, more: Partial<Demand> = {}): Block | undefined {
      limit.advance(now)
      return limit.block(weight, { ...demand(now), ...more })
    },
    /** How many units may go at `now`; none is sent. */
    room(now: number): number {
      let room = 0
      while (room < (limit.effectiveLimit ?? 10_000) && this.block(now, room + 1) === undefined) room++
      return room
    },
  }
}
