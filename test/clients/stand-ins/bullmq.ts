/** What the recipe uses of `bullmq`, in its shape. */
export interface Job<Data> {
  data: Data
  moveToDelayed(timestamp: number, token?: string): Promise<void>
}

/** Tells a worker that the job has been delayed, not failed. */
export class DelayedError extends Error {
  override readonly name = 'DelayedError'
}
