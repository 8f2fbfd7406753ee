import { sha1 } from '../node-crypto.ts'
import type { Engine } from './engine/engine.ts'
import type { EngineCall, EngineReply } from './protocol.ts'
import { SCRIPT } from './script/script.ts'
import { longestWindowUs } from './wants.ts'

/** What an adapter does with a user's client. */
export interface Commands {
  evalsha(sha: string, keys: string[], args: string[]): Promise<unknown>
  eval(script: string, keys: string[], args: string[]): Promise<unknown>
  subscribe?(channel: string, hear: (message: string) => void): () => void
  connections?(): number
}

/** Keys live at least this much longer than what they tell of: longer than clocks are expected to jump. */
const EXTRA_TTL_MS = 120_000

/** Version of the protocol: members of different ones do not share. */
const VERSION = '1'

/** An engine that runs the script on a server, through a user's client. */
export class ScriptEngine implements Engine {
  readonly subscribe?: (hear: (gate: string) => void) => () => void
  readonly #commands: Commands
  readonly #prefix: string
  readonly #channel: string
  readonly #sha = sha1(SCRIPT)

  constructor(commands: Commands, prefix: string) {
    this.#commands = commands
    this.#prefix = `${prefix}${VERSION}`
    this.#channel = `${this.#prefix}:events`
    if (commands.subscribe) this.subscribe = (hear) => commands.subscribe!(this.#channel, hear)
  }

  get connections(): number {
    return this.#commands.connections?.() ?? 0
  }

  async call(gate: string, call: EngineCall): Promise<EngineReply> {
    const key = `${this.#prefix}:{${gate}}`
    const keys = [`${key}:state`, `${key}:members`, ...call.limits.map(({ id }) => `${key}:log:${id}`)]
    const args = [JSON.stringify(call), this.#channel, String(lifetimeMs(call)), gate]
    return decoded(await this.#run(keys, args), call)
  }

  /** A server that does not have the script is given it. */
  async #run(keys: string[], args: string[]): Promise<unknown> {
    try {
      return await this.#commands.evalsha(this.#sha, keys, args)
    } catch (error) {
      // Valkey GLIDE has a word of its own.
      if (!(error instanceof Error && /NOSCRIPT|NoScriptError/.test(error.message))) throw error
      return this.#commands.eval(SCRIPT, keys, args)
    }
  }
}

function lifetimeMs(call: EngineCall): number {
  const { park, horizonUs, holdBackUs, heartbeatUs } = call
  const longestUs = Math.max(longestWindowUs(call), park?.forUs ?? 0)
  return Math.ceil((2 * longestUs + horizonUs + holdBackUs + 3 * heartbeatUs) / 1000) + EXTRA_TTL_MS
}

/** The places of the fields in the script's answer. */
const LEADING = 14

function decoded(answer: unknown, call: EngineCall): EngineReply {
  if (!Array.isArray(answer)) throw new TypeError('The engine gave no list')
  const numbers = answer.map(Number)
  const [late, now = 0, epoch = 0, members = 1, parts = 0, learning, ...rest] = numbers
  const [parkUs = -1, hinted, ceilingUs = 0, broken, probing = 0, backUs = 0, grantsProbe, granted = 0] = rest
  const ofLimits = numbers.slice(LEADING + granted)
  if (late === 1) return { late: true, now }
  return {
    late: false,
    now,
    epoch,
    members,
    parts,
    learning: learning === 1,
    park: parkUs < 0 ? undefined : { forUs: parkUs, hinted: hinted === 1, ceilingUs, broken: broken === 1 },
    probing: (['nobody', 'this', 'another'] as const)[probing] ?? 'nobody',
    backUs,
    starts: numbers.slice(LEADING, LEADING + granted),
    grantsProbe: grantsProbe === 1,
    limits: call.limits.map(({ limit }, index) => ({
      granted: ofLimits[2 * index] ?? 0,
      limit: ofLimits[2 * index + 1] ?? limit,
    })),
  }
}
