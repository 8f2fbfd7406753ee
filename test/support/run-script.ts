import { spawn } from 'node:child_process'

const source = new URL('../../src/index.ts', import.meta.url).href

/** After which a script that does not end is killed: its code is null. */
const LONGEST_MS = 45_000

/** Runs a script that has `createHeadgate` and the arguments `argv`, and ends when nothing keeps it alive. */
export function runScript(
  script: string,
  ...argv: string[]
): Promise<{ code: number | null; out: string; err: string }> {
  const text = `import { createHeadgate } from ${JSON.stringify(source)}; const argv = process.argv.slice(1); ${script}`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', text, '--', ...argv], {
    timeout: LONGEST_MS,
    killSignal: 'SIGKILL',
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk) => (out += chunk))
  child.stderr.on('data', (chunk) => (err += chunk))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, out: out.trim(), err }))
  })
}

/** Prints when the process ends, in ms from the first call, as the last line. */
export const STARTED = 'const at = performance.now(); process.once("exit", () => console.log(performance.now() - at));'
