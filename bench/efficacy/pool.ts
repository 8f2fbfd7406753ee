import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import type { Run } from './run-one.ts'

/** One contender and the scenarios it is run through, one after the other, in a process of its own. */
export interface Job {
  contender: string
  /** See `keyOf`. */
  keys: string[]
  time: 'virtual' | 'real'
  seed: number
  grantedVirtualMs: number
}

/** A run that lets nothing be heard for so long never will. */
const SILENCE_MS = 600_000

const CHILD = new URL('child.ts', import.meta.url)

/** Runs the jobs, as many at a time as there are cores. `take` is handed each run as it ends. */
export async function runJobs(jobs: readonly Job[], take: (job: Job, key: string, run: Run) => void): Promise<void> {
  const left = [...jobs]
  const work = async (): Promise<void> => {
    for (let job = left.shift(); job !== undefined; job = left.shift()) await runJob(job, take)
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
}

function runJob(job: Job, take: (job: Job, key: string, run: Run) => void): Promise<void> {
  const child = fork(CHILD, { serialization: 'advanced' })
  const keys = job.keys[Symbol.iterator]()
  let key = keys.next().value
  return new Promise((resolve, reject) => {
    const giveUp = (why: string): void => {
      child.kill('SIGKILL')
      reject(new Error(`${job.contender}, ${key}: ${why}`))
    }
    let silence = setTimeout(giveUp, SILENCE_MS, 'nothing was heard of it')
    child.on('message', (run: Run) => {
      clearTimeout(silence)
      silence = setTimeout(giveUp, SILENCE_MS, 'nothing was heard of it')
      if (key !== undefined) take(job, key, run)
      key = keys.next().value
    })
    child.once('exit', (code) => {
      clearTimeout(silence)
      if (code === 0 && key === undefined) resolve()
      else giveUp(`its process ended with ${code}`)
    })
    child.send(job)
  })
}
