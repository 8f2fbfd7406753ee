import fc from 'fast-check'
import { Gate } from '../../../src/gate/index.ts'
import { anyRun } from './commands.ts'
import { Play } from './play.ts'

/** How often each command was played, and each outcome seen. */
export interface Tried {
  commands: Record<string, number>
  outcomes: Record<string, number>
}

export function nothingTried(): Tried {
  return { commands: {}, outcomes: {} }
}

/** The gate does what the model does, whatever the commands. */
export function followsModel(tried: Tried, GateClass: typeof Gate = Gate) {
  return fc.asyncProperty(anyRun, async (run) => {
    const play = new Play(run, GateClass)
    await play.through()
    for (const { kind } of run.commands) count(tried.commands, kind)
    for (const { what } of play.outcomes) count(tried.outcomes, what)
  })
}

export function sum(counts: Record<string, number>): number {
  return Object.values(counts).reduce((total, each) => total + each, 0)
}

function count(counts: Record<string, number>, what: string): void {
  counts[what] = (counts[what] ?? 0) + 1
}
