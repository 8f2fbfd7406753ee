/** The runtimes, at which versions, how headgate is loaded there, and which checks must hold. */
import { join } from 'node:path'
import { type Lab, Missing } from './runtimes-lab.ts'
import type { CheckResult, Expected, Outcome, Setting } from './runtimes-types.ts'
import { postToWorker } from './runtimes-workerd.ts'

export interface Runtime {
  name: string
  /** Of the package that carries it. */
  version: string
  /** How the entries get into it. */
  loaded: string
  run: (lab: Lab, server: string) => Promise<Outcome>
}

export const NODE_VERSIONS = ['20.20.2', '22.23.3', '24.21.0', '26.10.0']
const BUN = '1.4.5'
const DENO = '2.9.6'
const WORKERD = '1.20261117.1'
const CHROMIUM = '153.0.0'
const PLAYWRIGHT = '1.65.1'

const EVERYWHERE = ['entries', 'pace', 'retry', 'redirect', 'explain', 'events', 'save', 'gate', 'close', 'clock']
const ON_SERVERS = [...EVERYWHERE, 'channels', 'listen', 'opentelemetry']
const SERVER: Expected = { crypto: true, hops: true, http: true }
const BROWSER: Expected = { crypto: false, hops: false, http: false }

export const RUNTIMES: readonly Runtime[] = [
  ...NODE_VERSIONS.flatMap((version) => scripted('Node', version, 'undici', (lab) => lab.node(version), [])),
  ...scripted('Bun', BUN, undefined, async (lab) => binary(lab, 'bun', BUN), ['run']),
  ...scripted('Deno', DENO, 'undici', async (lab) => binary(lab, 'deno', DENO), ['run', '--no-prompt', '--allow-all']),
  worker('2026-11-17', [...EVERYWHERE, 'object'], SERVER),
  worker('2026-06-01', [...EVERYWHERE, 'listen', 'object'], { crypto: false, hops: true, http: false }),
  page('import map', 'page.html'),
  page('bundle', 'page-bundle.html'),
]

/** A runtime that runs scripts, of either kind. The last check is that the process ends. */
function scripted(
  name: string,
  version: string,
  undici: 'undici' | undefined,
  commandOf: (lab: Lab) => Promise<string>,
  args: readonly string[],
): Runtime[] {
  const names = undici ? [...ON_SERVERS, undici] : ON_SERVERS
  return [
    ['ESM', 'esm.mjs'],
    ['CommonJS', 'cjs.cjs'],
  ].map(([loaded = '', file = '']) => ({
    name,
    version,
    loaded,
    run: async (lab, server) => {
      const command = await commandOf(lab)
      const setting = { server, names, expected: SERVER, undici: undiciFor(version) }
      const outcome = parse(await lab.run(command, [...args, file, JSON.stringify(setting)]))
      return { ...outcome, results: [...outcome.results, await exits(lab, command, args, server)] }
    },
  }))
}

/** undici 8 wants a newer Node than 20. */
function undiciFor(version: string): string {
  return version.startsWith('20.') ? 'undici7' : 'undici'
}

async function exits(lab: Lab, command: string, args: readonly string[], server: string): Promise<CheckResult> {
  const run = lab.run(command, [...args, 'idle.mjs', JSON.stringify({ server })], 10_000)
  return run.then(
    (printed) => ({ name: 'exit', ...(printed === 'parked' ? {} : { error: printed }) }),
    (error: Error) => ({ name: 'exit', error: error.message }),
  )
}

async function binary(lab: Lab, name: string, version: string): Promise<string> {
  return join(await lab.tools(`${name}@${version}`), 'node_modules/.bin', name)
}

function worker(compatibilityDate: string, names: readonly string[], expected: Expected): Runtime {
  return {
    name: 'workerd',
    version: WORKERD,
    loaded: `bundle, compatibility date ${compatibilityDate}`,
    run: async (lab, server) => {
      const command = await binary(lab, 'workerd', WORKERD)
      const setting: Setting = { server, names, expected }
      return { version: WORKERD, results: await postToWorker(lab, command, compatibilityDate, setting) }
    },
  }
}

function page(loaded: string, file: string): Runtime {
  return {
    name: 'Chromium',
    version: CHROMIUM,
    loaded,
    run: async (lab, server) => {
      const tools = await lab.tools(`@sparticuz/chromium@${CHROMIUM}`, `playwright-core@${PLAYWRIGHT}`)
      const setting: Setting = { server, names: [...EVERYWHERE, 'listen'], expected: BROWSER }
      const given = JSON.stringify({ tools, page: `${server}/files/${file}`, ...setting })
      return parse(await lab.run(process.execPath, ['chromium.mjs', given]))
    },
  }
}

/** A driver's last line. */
function parse(printed: string): Outcome {
  const outcome = JSON.parse(printed.slice(printed.lastIndexOf('\n') + 1)) as Outcome | { missing: string }
  if ('missing' in outcome) throw new Missing(outcome.missing)
  return outcome
}
