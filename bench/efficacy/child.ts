/** Runs one contender through the scenarios it is told, and sends what happened in each. */
import type { Contender } from '../contenders/contender.ts'
import { fakeTime } from './faked-time.ts'
import type { Job } from './pool.ts'
import { runReal } from './run-real.ts'
import { type Run, runOne } from './run-one.ts'
import { keyOf } from './scenario.ts'
import { realScenario, scenarios } from './scenarios.ts'

process.once('message', (job: Job) => void work(job))

async function work(job: Job): Promise<void> {
  const runScenario = job.time === 'virtual' ? virtually(job) : runReal
  const contender = await find(job.contender)
  for (const scenario of [...scenarios, realScenario].filter((each) => job.keys.includes(keyOf(each)))) {
    await send(await runScenario(contender, scenario, job.seed))
  }
  process.exit()
}

/** Time is faked before any package of a contender is imported. */
function virtually({ grantedVirtualMs }: Job): typeof runReal {
  const time = fakeTime()
  return (contender, scenario, seed) => runOne(contender, scenario, { time, seed, virtualMs: grantedVirtualMs })
}

async function find(name: string): Promise<Contender> {
  const { contenders } = await import('../contenders/index.ts')
  const found = contenders.find((contender) => contender.name === name)
  if (found === undefined) throw new Error(`no contender is called ${name}`)
  return found
}

function send(run: Run): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send?.(run, undefined, {}, (error) => (error === null ? resolve() : reject(error)))
  })
}
