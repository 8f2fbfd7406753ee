import { GrantLog } from './log.ts'

/** What an engine keeps of one gate. */
export interface GateState {
  /** Names this memory; 0 where there is none. */
  epoch: number
  /** What is added to the engine's clock, so that it neither goes back nor jumps ahead. */
  offset: number
  /** The latest start granted: nobody starts before those who asked first. */
  lastStart: number
  readonly members: Map<string, Member>
  /** Members that did not come when the engine learnt anew: so many, as of when, each told of so many members. */
  nameless: { count: number; parts: number; at: number }
  learning: { sinceAt: number; until: number; expected: number }
  /** When learning last began; 0 for never. */
  learntAt: number
  park: { until: number; hinted: boolean; ceilingUs: number; broken: boolean } | undefined
  /** Whose probe is out. */
  probe: string | undefined
  /** Those who were told to come back, in order. */
  turns: Turn[]
  readonly limits: Map<string, LimitMemory>
}

/** One who is gone is remembered: what was charged to it may still be in a window. */
export interface Member {
  readonly heardAt: number
  /** What it may send by itself is one of so many parts; 0 for nothing, as where it has said that it leaves. */
  parts: number
}

export interface Turn {
  readonly member: string
  /** One who does not come by then has lost its turn. */
  readonly until: number
  /** What it is going to ask for, by limit. */
  readonly charges: ReadonlyMap<string, number>
}

export interface LimitMemory {
  readonly log: GrantLog
  /** The smallest limit that a member configures, and when one last did. */
  smallest: { limit: number; at: number }
  /** What the upstream states, and what others have used of it. */
  reading: { stated: number; foreign: number; until: number; provenUntil: number; sentAt: number }
  readonly accounts: Map<string, Account>
}

/** What has been charged to one member: granted to it, and told by it afterwards. */
export interface Account {
  granted: number
  extra: number
}

export function newState(): GateState {
  return {
    epoch: 0,
    offset: 0,
    lastStart: 0,
    members: new Map(),
    nameless: { count: 0, parts: 0, at: 0 },
    learning: { sinceAt: 0, until: 0, expected: 0 },
    learntAt: 0,
    park: undefined,
    probe: undefined,
    turns: [],
    limits: new Map(),
  }
}

export function newLimitMemory(windowUs: number): LimitMemory {
  return {
    log: new GrantLog(windowUs),
    smallest: { limit: 0, at: 0 },
    reading: { stated: 0, foreign: 0, until: 0, provenUntil: 0, sentAt: 0 },
    accounts: new Map(),
  }
}
