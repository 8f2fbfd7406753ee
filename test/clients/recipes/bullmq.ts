import { DelayedError, type Job } from '../stand-ins/bullmq.ts'
import { refusalBehind } from './refusal.ts'

/** `new Worker(name, delaying(process), { connection })` */
export function delaying<Data, Result>(process: (job: Job<Data>, token?: string) => Promise<Result>) {
  return async (job: Job<Data>, token?: string): Promise<Result> => {
    try {
      return await process(job, token)
    } catch (error) {
      const delayMs = refusalBehind(error)?.retryAfterMs
      if (delayMs === undefined) throw error
      await job.moveToDelayed(Date.now() + delayMs, token)
      throw new DelayedError()
    }
  }
}
