import type { Events, Place, ReadingEvent } from './events.ts'
import type { Reading } from './gate/observation.ts'
import type { GateObserver } from './gate/observer.ts'

/** Turns what one gate does into events of its headgate. */
export function observerOf(events: Events, place: Place): GateObserver {
  return {
    waited: (waitedMs, cause) => events.emit('headgate:wait', () => ({ ...place, waitedMs, cause })),
    parked: (forMs, hinted) => events.emit('headgate:park', () => ({ ...place, forMs, hinted })),
    probed: () => events.emit('headgate:probe', () => ({ ...place })),
    reopened: () => events.emit('headgate:reopen', () => ({ ...place })),
    read: (limits) => events.emit('headgate:reading', () => ({ ...place, limits: limits.map(numbersOf) })),
    degraded: (via, why) => events.emit('headgate:degrade', () => ({ ...place, via, why })),
    refused: (reason, retryAfterMs) =>
      events.emit('headgate:refuse', () => ({
        ...place,
        reason,
        ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      })),
  }
}

/** A limit's name and unit are the upstream's words and stay out of events. */
function numbersOf({ name: _name, unit: _unit, kind: _kind, ...numbers }: Reading): ReadingEvent {
  return numbers
}
