import { type AcquireOptions, type Gate, type HeaderSource, readRateLimit } from '../../../src/index.ts'

/** Makes a call of an SDK that takes no fetch and throws its 429 as an error with `status` and `headers`. */
export function runThrough<T>(gate: Gate, call: () => Promise<T>, options: AcquireOptions = {}): Promise<T> {
  return gate.run(async (permit) => {
    try {
      return await call()
    } catch (error) {
      if (isAnswer(error)) permit.settle(readRateLimit(error.headers, { status: error.status }))
      throw error
    }
  }, options)
}

function isAnswer(error: unknown): error is Error & { status: number; headers: HeaderSource } {
  return error instanceof Error && 'status' in error && 'headers' in error && error.headers !== undefined
}
