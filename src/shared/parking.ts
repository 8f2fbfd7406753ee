import type { SharedGate, SharedPark } from '../gate/share.ts'
import type { EngineClock } from './engine-clock.ts'
import type { CalledPark, EngineAnswer, EngineCall } from './protocol.ts'

/** Parks that end this close to each other are the same one. */
const SAME_MS = 1

/** What of a park and its probe the engine is told. */
export interface News extends Pick<EngineCall, 'park' | 'probe'> {
  readonly until: number
}

/**
 * Keeps the park of a gate and that of the engine alike: what this process was told goes to the engine, and what others were told comes
 * from there. The engine says whose attempt is the probe.
 */
export class Parking {
  readonly #gate: Pick<SharedGate, 'park' | 'parkUntil' | 'reopen'>
  /** Until when the engine is known to be parked; -Infinity where it is open. */
  #knownUntil = -Infinity
  /** How far this process's probe has come. */
  #probe: 'none' | 'granted' | 'out' = 'none'

  constructor(gate: Pick<SharedGate, 'park' | 'parkUntil' | 'reopen'>) {
    this.#gate = gate
  }

  /** What the engine does not know yet. `holdsProbe` says whether the probe's grant is still to be used. */
  news(holdsProbe: boolean, now: number): News | undefined {
    const { park } = this.#gate
    if (this.#probe === 'granted' && park.state === 'probing') this.#probe = 'out'
    const probe = this.#outcome(park, holdsProbe)
    const isBroken = this.#probe === 'none' && park.state === 'probing'
    const isLonger = park.state !== 'open' && park.until > this.#knownUntil + SAME_MS
    if (probe === undefined && !isLonger && !isBroken) return undefined
    const told = isLonger || isBroken ? calledPark(park, isBroken, now) : undefined
    return { probe, park: told, until: park.until }
  }

  /** The engine has been told. */
  told({ park, probe, until }: News): void {
    if (probe !== undefined) this.#probe = 'none'
    if (probe === 'reopened') this.#knownUntil = -Infinity
    if (park) this.#knownUntil = until
    if (park?.broken) this.#probe = 'out'
  }

  /** Takes over what the engine says, but for what this process has to tell it first. The grant of a probe may have been lost on its way. */
  take({ now, park, probing, grantsProbe }: EngineAnswer, clock: EngineClock): void {
    if (grantsProbe || (probing === 'this' && this.#probe === 'none')) this.#probe = 'granted'
    const own = this.#gate.park
    if (park === undefined) {
      if (own.state === 'parked' && own.until <= this.#knownUntil + SAME_MS) this.#gate.reopen()
      this.#knownUntil = -Infinity
      return
    }
    const until = clock.localAt(now + park.forUs)
    if (own.state === 'open' || (park.forUs > 0 && until > own.until + SAME_MS)) {
      const { hinted, broken, ceilingUs } = park
      this.#gate.parkUntil({ until, hinted, broken, ceilingMs: ceilingUs / 1000 })
    }
    this.#knownUntil = Math.max(this.#knownUntil, until)
  }

  /** The engine has lost what it knew, or this process its place there. */
  forget(): void {
    this.#knownUntil = -Infinity
    this.#probe = 'none'
  }

  #outcome({ state }: SharedPark, holdsProbe: boolean): EngineCall['probe'] {
    if (this.#probe === 'granted' && !holdsProbe && state !== 'probing') return 'lost'
    if (this.#probe !== 'out' || state === 'probing') return undefined
    return state === 'open' ? 'reopened' : 'lost'
  }
}

function calledPark({ until, hinted, ceilingMs }: SharedPark, broken: boolean, now: number): CalledPark {
  const forUs = Math.max(0, Math.round((until - now) * 1000))
  return { forUs, hinted, ceilingUs: Math.round(ceilingMs * 1000), broken }
}
