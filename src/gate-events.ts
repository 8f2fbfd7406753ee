import type { Events, HeadgateEvents, Place, ReadingEvent } from './events.ts'
import type { RefusalReason } from './gate/errors.ts'
import type { Cause } from './gate/limit.ts'
import type { Reading } from './gate/observation.ts'
import type { GateObserver } from './gate/observer.ts'
import type { Via } from './gate/share.ts'

/** Turns what one gate does into events of its headgate. */
export class GateEvents implements GateObserver {
  readonly #events: Events
  readonly #place: Place

  constructor(events: Events, place: Place) {
    this.#events = events
    this.#place = place
  }

  waited(waitedMs: number, cause: Cause): void {
    this.#events.emit('headgate:wait', () => ({ ...this.#place, waitedMs, cause }))
  }

  parked(forMs: number, hinted: boolean): void {
    this.#events.emit('headgate:park', () => ({ ...this.#place, forMs, hinted }))
  }

  probed(): void {
    this.#events.emit('headgate:probe', () => ({ ...this.#place }))
  }

  reopened(): void {
    this.#events.emit('headgate:reopen', () => ({ ...this.#place }))
  }

  read(limits: readonly Reading[]): void {
    this.#events.emit('headgate:reading', () => ({ ...this.#place, limits: limits.map(numbersOf) }))
  }

  degraded(via: Via, why: string): void {
    this.#events.emit('headgate:degrade', () => ({ ...this.#place, via, why }))
  }

  refused(reason: RefusalReason, retryAfterMs: number | undefined): void {
    this.#events.emit('headgate:refuse', () => {
      const refused: HeadgateEvents['headgate:refuse'] = { ...this.#place, reason }
      if (retryAfterMs !== undefined) refused.retryAfterMs = retryAfterMs
      return refused
    })
  }
}

/** A limit's name and unit are the upstream's words and stay out of events. */
function numbersOf({ name: _name, unit: _unit, kind: _kind, ...numbers }: Reading): ReadingEvent {
  return numbers
}
