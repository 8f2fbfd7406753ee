import type { CalledReading, EngineCall } from '../protocol.ts'
import type { GateState, LimitMemory } from './state.ts'

/**
 * Judges readings against what all members had sent around them. Foreign use lies between `used - possibly` and `used - surely`; the
 * lower end is acted on until a reading proves it, and the upper end for as long as such a reading is.
 */
export function judge(state: GateState, call: EngineCall, now: number): void {
  for (const reading of call.readings) {
    const called = call.limits[reading.index]
    const memory = called && state.limits.get(called.id)
    if (memory && reading.until > now) judgeOne(memory, reading)
  }
}

function judgeOne({ log, reading: last }: LimitMemory, reading: CalledReading): void {
  const { stated, used, sentAt, takenAt, possiblySinceAt, surelySinceAt, transitUs, until } = reading
  if (sentAt < last.sentAt) return
  const possibly = (log.totalAt(takenAt) ?? 0) - (log.totalAt(possiblySinceAt) ?? -Infinity)
  const surely = Math.max(0, (log.totalAt(sentAt - transitUs) ?? 0) - (log.totalAt(surelySinceAt) ?? Infinity))
  const lower = Math.max(0, used - possibly)
  last.sentAt = sentAt
  last.until = until
  if (lower > 0) last.provenUntil = until
  last.stated = stated
  last.foreign = takenAt < last.provenUntil ? Math.max(0, used - surely) : lower
}
