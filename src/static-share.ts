import { ConfigError, type Fault } from './gate/errors.ts'
import type { Limit } from './gate/limit.ts'
import type { OpenShare, Share } from './gate/share.ts'

/** How many processes draw on each limit, and which of them this one is, from 0. */
export interface Processes {
  readonly processes: number
  readonly process: number | undefined
}

/** Limits that leave this process nothing. */
export function leavingNothing(limits: readonly Limit[], of: Processes): Fault[] {
  return limits
    .filter(({ limit }) => partOf(limit, of) === 0)
    .map(({ limit }) => ({
      option: 'processes',
      value: of.processes,
      expected: `so few that this process has a part of the limit of ${limit}`,
    }))
}

/**
 * This process's part of each limit: an equal one, rounded down. Where it is known which process this is, what is left over goes to the
 * first ones. Throws a `ConfigError` where nothing is left for it.
 */
export function partsOf(limits: readonly Limit[], of: Processes): readonly Limit[] {
  if (of.processes === 1) return limits
  const faults = leavingNothing(limits, of)
  if (faults.length > 0) throw new ConfigError(faults)
  return limits.map((each) => ({ ...each, limit: partOf(each.limit, of) }))
}

/** A share that no engine keeps: limits that only the upstream states are divided as configured ones are. */
export function staticShare(of: Processes): OpenShare {
  return (gate): Share => {
    gate.bind(({ configured, sharedLimit = Infinity }) => {
      const units = configured ? Infinity : Math.max(1, partOf(sharedLimit, of))
      return { units, until: Infinity, heavyGoesAlone: true }
    })
    return {
      via: 'share',
      processes: of.processes,
      answersWithinMs: 0,
      block: () => undefined,
      projectAt: (now) => now,
      spend: () => {},
      started: () => {},
      close: async () => {},
      look: () => {},
    }
  }
}

function partOf(limit: number, { processes, process = Infinity }: Processes): number {
  if (processes === 1) return limit
  const part = Math.floor(limit / processes)
  return process < Math.floor(limit - part * processes) ? part + 1 : part
}
