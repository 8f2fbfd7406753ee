import type { Events, EventName, HeadgateEvents } from './events.ts'
import type { Clock } from './gate/clock.ts'

/** Lines written in any second; what is beyond them is counted in the next line that is written. */
const MAX_LINES = 10
const WINDOW_MS = 1_000

/** What is worth a line. Attempts, waits and readings come with every request. */
const LOGGED = [
  'headgate:park',
  'headgate:probe',
  'headgate:reopen',
  'headgate:refuse',
  'headgate:degrade',
] as const satisfies EventName[]

type Write = ((text: string) => void) & { enabled: boolean }
type Util = { debuglog: (section: string) => Write }
type Runtime = { process?: { getBuiltinModule?: (name: string) => Util | undefined } }

/** Writes lines for `NODE_DEBUG=headgate`, where there is such a thing: no more than 10 a second, however many refusals there are. */
export function logEvents(events: Events, clock: Clock, write = debugLog()): void {
  if (!write?.enabled) return
  const log = new BoundedLog(write, clock)
  for (const name of LOGGED) events.on(name, (event) => log.line(name, event))
}

/** None where every section is on, as in workerd, which knows no NODE_DEBUG: nobody asked for it there. */
function debugLog(): Write | undefined {
  const util = (globalThis as Runtime).process?.getBuiltinModule?.('node:util')
  return util?.debuglog('headgate-nobody-asks-for').enabled ? undefined : util?.debuglog('headgate')
}

class BoundedLog {
  readonly #write: (text: string) => void
  readonly #clock: Clock
  #since = -Infinity
  #lines = 0
  #left = 0

  constructor(write: (text: string) => void, clock: Clock) {
    this.#write = write
    this.#clock = clock
  }

  line<Name extends EventName>(
    name: Name,
    { upstream, host, port, partition, ...details }: HeadgateEvents[Name],
  ): void {
    const now = this.#clock.now()
    if (now - this.#since >= WINDOW_MS) {
      this.#since = now
      this.#lines = 0
    }
    if (this.#lines === MAX_LINES) {
      this.#left += 1
      return
    }
    this.#lines += 1
    const left = this.#left === 0 ? '' : ` (${this.#left} lines left out)`
    this.#left = 0
    this.#write(`${name} ${upstream} ${host}:${port} ${partition} ${JSON.stringify(details)}${left}`)
  }
}
