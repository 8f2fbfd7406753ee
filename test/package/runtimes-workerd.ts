import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Lab } from './runtimes-lab.ts'
import type { CheckResult, Setting } from './runtimes-types.ts'

/** Serves the bundled worker, posts it a setting and returns what its checks found. */
export async function postToWorker(
  lab: Lab,
  command: string,
  compatibilityDate: string,
  setting: Setting,
): Promise<CheckResult[]> {
  const config = join(lab.project, `worker-${compatibilityDate}.capnp`)
  const template = readFileSync(join(lab.project, 'worker.capnp'), 'utf8')
  writeFileSync(config, template.replace('COMPATIBILITY_DATE', compatibilityDate))
  const served = spawn(command, ['serve', config, '--control-fd=3'], { stdio: ['ignore', 'ignore', 'inherit', 'pipe'] })
  try {
    const port = await portOf(served.stdio[3] as Readable)
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: JSON.stringify(setting) })
    if (!response.ok) throw new Error(`the worker answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as CheckResult[]
  } finally {
    served.kill()
  }
}

/** workerd tells where it listens, a line of JSON for each socket. */
async function portOf(control: Readable): Promise<number> {
  let told = ''
  for await (const chunk of control) {
    told += String(chunk)
    if (told.includes('\n')) return (JSON.parse(told) as { port: number }).port
  }
  throw new Error('workerd ended before it listened')
}
