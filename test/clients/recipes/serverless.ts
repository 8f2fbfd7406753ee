import type { Headgate, SavedState } from '../../../src/index.ts'

export interface Store {
  get(): Promise<string | undefined>
  put(state: string): Promise<void>
}

/** Runs each invocation of a Lambda or a cron job with what the process before left of the limits. */
export function resuming(headgate: Headgate, store: Store) {
  let restored: Promise<void> | undefined

  async function restore(): Promise<void> {
    const saved = await store.get()
    if (saved !== undefined) headgate.restore(JSON.parse(saved) as SavedState)
  }

  return async function invoke<T>(work: () => Promise<T>): Promise<T> {
    await (restored ??= restore())
    try {
      return await work()
    } finally {
      await store.put(JSON.stringify(headgate.save()))
    }
  }
}
