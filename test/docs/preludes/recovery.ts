import type { RetryCounts } from '../../../src/index.ts'

export { createHeadgate, RetryEpisode } from '../../../src/index.ts'

export const url = 'https://api.example.com/items'
export const now = 0
export const retryAfterMs = 1_000
interface Job {
  retryCounts?: RetryCounts
  again: (options: { delayMs: number; retryCounts: RetryCounts }) => Promise<void>
}

export const job: Job = { again: async () => {} }

const kept = new Map<string, string>()
export const store = {
  set: async (key: string, value: string): Promise<unknown> => kept.set(key, value),
  get: async (key: string): Promise<string> => kept.get(key) ?? '',
}
