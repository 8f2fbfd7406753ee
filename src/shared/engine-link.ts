import type { Clock } from '../gate/clock.ts'
import { nodeCrypto } from '../node-crypto.ts'
import { type Ended, withDeadline } from './deadline.ts'
import { EngineClock } from './engine-clock.ts'
import { type EngineFault, faultOf } from './faults.ts'
import type { Engine } from './engine/engine.ts'
import { horizonAmong, type SharedSettings } from './options.ts'
import type { EngineAnswer, EngineCall, EngineReply } from './protocol.ts'

/** Calls that a client has not let go of, beyond which no more are put in: one that cannot reach its server keeps them. */
const MOST_HANGING = 16

/** The engine's time may be so much later than can be: clocks drift apart. */
const AHEAD_US = 10_000

/** The parts of a call that are of the moment. */
export type Matter = Pick<EngineCall, 'limits' | 'wants' | 'park' | 'probe' | 'readings' | 'leaves' | 'away' | 'back'>

/** How a call ended. */
export type Outcome = { answer: EngineAnswer; isNewMemory: boolean } | { fault: EngineFault; code?: string }

/** The way of one gate to its engine: one call at a time, each with a deadline, and what the answers tell of the engine itself. */
export class EngineLink {
  readonly time = new EngineClock()
  readonly #settings: SharedSettings
  readonly #gateName: string
  readonly #clock: Clock
  #member = newName()
  #epoch = 0
  #members = 0
  #parts = 0
  #heardUs = 0
  #heardAt = -Infinity
  #connection: number | undefined
  #calling = false
  #hanging = 0

  constructor(settings: SharedSettings, gateName: string, clock: Clock) {
    this.#settings = settings
    this.#gateName = gateName
    this.#clock = clock
  }

  get calling(): boolean {
    return this.#calling
  }

  /** Members when the engine was last heard of; 0 where it never was. */
  get members(): number {
    return this.#members
  }

  /** What this process may send by itself is one of so many parts; 0 for nothing. */
  get parts(): number {
    return this.#parts
  }

  /** When the engine was last heard of, by this process's clock; -Infinity for never. */
  get heardAt(): number {
    return this.#heardAt
  }

  /** Whether the engine knows this process. */
  get isMember(): boolean {
    return this.#epoch !== 0
  }

  /** Whether the connection is another one than that of the last answer: behind it there may be another server. */
  get isReplaced(): boolean {
    return this.#connection !== undefined && this.#settings.engine.connections !== this.#connection
  }

  /** Calls the engine. `keepAlive` says whether the answer is worth keeping the process running for. */
  call(matter: Matter, keepAlive: boolean, done: (outcome: Outcome) => void): void {
    this.#calling = true
    const finish = (outcome: Outcome): void => {
      this.#calling = false
      done(outcome)
    }
    if (this.#hanging >= MOST_HANGING) return finish({ fault: 'timeout' })
    this.#send(matter, { keepAlive, jumped: false }, finish)
  }

  /** The engine is to forget this process, and has. The next call is that of a new member. */
  leave(): void {
    this.#member = newName()
    this.#epoch = 0
    this.#heardUs = 0
    this.#connection = undefined
    if (this.#settings.strictPartition) this.#parts = 0
  }

  #send(matter: Matter, how: { keepAlive: boolean; jumped: boolean }, finish: (outcome: Outcome) => void): void {
    const { engine, deadlineMs } = this.#settings
    const calledAt = this.#clock.now()
    const { connections } = engine
    const call = this.#callOf(matter, how.jumped, calledAt)
    this.#hanging += 1
    const work = askEngine(engine, this.#gateName, call).finally(() => (this.#hanging -= 1))
    withDeadline(this.#clock, work, { deadlineMs, keepAlive: how.keepAlive }, (ended) => {
      const outcome = this.#heard(ended, calledAt, how.jumped)
      if (outcome === 'late') return this.#send(matter, { ...how, jumped: true }, finish)
      // Whoever has not connected yet does so for the first call.
      if ('answer' in outcome) this.#connection = this.#connection === undefined ? engine.connections : connections
      finish(outcome)
    })
  }

  /** What the engine granted by a clock that has jumped ahead is not used: it is asked again. */
  #heard(ended: Ended<EngineReply>, calledAt: number, jumped: boolean): Outcome | 'late' {
    if ('timedOut' in ended) return { fault: 'timeout' }
    if ('error' in ended) return faultOf(ended.error)
    const { value } = ended
    if (typeof value?.now !== 'number') return { fault: 'failed' }
    const now = this.#clock.now()
    const latestUs = this.time.latestUs(now)
    if (value.late && jumped) return { fault: 'failed' }
    if (value.late || (!jumped && latestUs > 0 && value.now > latestUs + AHEAD_US)) return 'late'
    this.time.note(value.now, calledAt, now)
    const isNewMemory = this.#epoch !== 0 && value.epoch !== this.#epoch
    this.#epoch = value.epoch
    this.#members = value.members
    this.#parts = value.parts
    this.#heardUs = value.now
    this.#heardAt = now
    return { answer: value, isNewMemory }
  }

  #callOf(matter: Matter, jumped: boolean, now: number): EngineCall {
    const { deadlineMs, heartbeatMs, holdBackMs, assumeProcesses = 1 } = this.#settings
    const windowsMs = matter.limits.map(({ windowUs }) => windowUs / 1000)
    return {
      ...matter,
      member: this.#member,
      epoch: this.#epoch,
      newEpoch: newEpoch(),
      at: this.time.latestUs(now),
      patienceUs: deadlineMs * 1000,
      jumped,
      heartbeatUs: heartbeatMs * 1000,
      horizonUs: Math.floor(horizonAmong(this.#settings, windowsMs) * 1000),
      members: this.#members || assumeProcesses,
      parts: this.#parts,
      heardAt: this.#heardUs,
      holdBackUs: holdBackMs * 1000,
    }
  }
}

/** Also where an engine of somebody's own throws at once. */
async function askEngine(engine: Engine, gateName: string, call: EngineCall): Promise<EngineReply> {
  return engine.call(gateName, call)
}

function newName(): string {
  return nodeCrypto('Shared budgets').randomBytes(8).toString('hex')
}

/** 48 bits, above 0. */
function newEpoch(): number {
  return Number.parseInt(nodeCrypto('Shared budgets').randomBytes(6).toString('hex'), 16) + 1
}
