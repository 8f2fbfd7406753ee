/** How long importing an entry takes on Node, and what it loads. */
import type { Lab } from './runtimes-lab.ts'

export interface Startup {
  version: string
  /** Median milliseconds in a fresh process, by loader and entry. */
  medians: number[]
  /** Of undici and OpenTelemetry, what any entry loaded. */
  strangers: string[]
}

interface Load {
  ms: number
  loaded: string[]
  traced: boolean
}

export const LOADS = [
  { file: 'startup.mjs', how: 'import', entry: 'headgate/gate' },
  { file: 'startup.mjs', how: 'import', entry: 'headgate' },
  { file: 'startup.cjs', how: 'require', entry: 'headgate/gate' },
  { file: 'startup.cjs', how: 'require', entry: 'headgate' },
] as const

const ROUNDS = 9
/** The packages, and the copy of undici that is built into Node. */
const STRANGER = /undici|opentelemetry/
const OWN = 'node_modules/headgate/'

export async function measureStartup(lab: Lab, version: string): Promise<Startup> {
  const node = await lab.node(version)
  const medians: number[] = []
  const strangers = new Set<string>()
  for (const { file, entry } of LOADS) {
    const rounds: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) rounds.push((await load(lab, node, [file, entry])).ms)
    medians.push(median(rounds))
    for (const name of strangersIn(await load(lab, node, [file, entry, 'trace']))) strangers.add(name)
  }
  return { version, medians, strangers: [...strangers] }
}

async function load(lab: Lab, node: string, args: string[]): Promise<Load> {
  return JSON.parse(await lab.run(node, args)) as Load
}

/** Node 20 cannot trace imports: there only requires and what is built in are seen. */
function strangersIn({ loaded, traced }: Load): string[] {
  if (traced && !loaded.some((name) => name.includes(OWN))) throw new Error('the trace saw nothing')
  return loaded.filter((name) => STRANGER.test(name))
}

function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}
