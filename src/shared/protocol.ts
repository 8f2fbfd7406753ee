/**
 * What one process says to the engine about one gate, and what the engine answers. Instants are whole microseconds of the engine's
 * clock, spans are whole microseconds. `engine/decide.ts` says what an engine does with it, `script/` says the same in Lua.
 */
export interface EngineCall {
  /** This process, as long as it keeps this gate. */
  readonly member: string
  /** The engine's memory as this process knows it; 0 for not yet. */
  readonly epoch: number
  /** Names the engine's memory if it has none. Above 0. */
  readonly newEpoch: number
  /** The engine's time as this process reckons it, at the latest; 0 where it cannot tell. */
  readonly at: number
  /** A call that comes later than this after `at` is not heeded: nobody waits for its answer any more. */
  readonly patienceUs: number
  /** The engine has told of a later time than can be, or called a call late whose answer came in time: its clock has jumped ahead. */
  readonly jumped: boolean
  readonly heartbeatUs: number
  /** How far ahead of its start an attempt may be granted. */
  readonly horizonUs: number
  /** Members when this process last had an answer, itself included. */
  readonly members: number
  /** What it may send by itself is one of so many parts, as it was last told; 0 for nothing. */
  readonly parts: number
  /** When it last had an answer; 0 for never. */
  readonly heardAt: number
  /** Since then it has gone by its own share, or its connection is another one: the engine may not know what others have sent. */
  readonly away: boolean
  /** It has had an answer again after that, and tells with this call what it sent until then. */
  readonly back: boolean
  /** It gives its place up. */
  readonly leaves: boolean
  /** What vanished members may be sending by themselves is held back for so long; 0 for not at all. */
  readonly holdBackUs: number
  readonly limits: readonly CalledLimit[]
  /** Attempts that wait for a grant, in order: so many in a row of the same charges, which are in the order of `limits`. */
  readonly wants: readonly Want[]
  readonly park: CalledPark | undefined
  /** What has become of this member's probe. */
  readonly probe: 'reopened' | 'lost' | undefined
  readonly readings: readonly CalledReading[]
}

/** At most `limit` units in any `windowUs`. */
export interface CalledLimit {
  /** The same in every process. */
  readonly id: string
  readonly limit: number
  readonly windowUs: number
  /** Units that the engine had charged to this member when it last answered. */
  readonly granted: number
  /** Units sent without a grant since the member joined. */
  readonly extra: number
  /** Units that this member has in the window, at most, with those that it may send before it is answered. */
  readonly recent: number
}

export interface Want {
  readonly count: number
  readonly charges: readonly number[]
}

export interface CalledPark {
  readonly forUs: number
  readonly hinted: boolean
  readonly ceilingUs: number
  /** It was broken by a probe before its end. */
  readonly broken: boolean
}

/** One reading, by the engine's clock: taken no earlier than `sentAt` and no later than `takenAt`. */
export interface CalledReading {
  /** Index of its limit in `limits`. */
  readonly index: number
  readonly stated: number
  readonly used: number
  readonly sentAt: number
  readonly takenAt: number
  /** An attempt that went before this was certainly not in it; one that went after `sinceAt` had certainly not left it. */
  readonly possiblySinceAt: number
  readonly surelySinceAt: number
  /** By when an attempt that went before `sentAt` was certainly counted: so long before it. */
  readonly transitUs: number
  /** Until when it is acted on. */
  readonly until: number
}

/** What an engine answers, or that the call came after its time: nothing has been done then. */
export type EngineReply = EngineAnswer | { readonly late: true; readonly now: number }

export interface EngineAnswer {
  readonly late: false
  readonly now: number
  readonly epoch: number
  readonly members: number
  /** What this member may send by itself, should it lose the engine, is one of so many parts; 0 for nothing. */
  readonly parts: number
  /** The engine has lost something and waits for the members to tell what they have sent. */
  readonly learning: boolean
  /** What is left of the park; 0 where it is over and still to be probed. Undefined where the gate is open. */
  readonly park: CalledPark | undefined
  readonly probing: 'nobody' | 'this' | 'another'
  /** When the next attempt that was not granted is worth asking for again. 0 where all were. */
  readonly backUs: number
  /** Starts of the attempts granted, in order, from `now`. */
  readonly starts: readonly number[]
  /** The first of them is the probe. */
  readonly grantsProbe: boolean
  readonly limits: readonly RepliedLimit[]
}

export interface RepliedLimit {
  readonly granted: number
  /** What is in force: less than what was asked for where another member configures less. */
  readonly limit: number
}
