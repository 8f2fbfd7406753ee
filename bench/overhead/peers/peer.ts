/** What a call is about: the same for all, and nothing. */
export type Task = () => Promise<void>

export const nothing: Task = async () => {}

/** Above whatever is asked. */
export const HUGE = Number.MAX_SAFE_INTEGER

/** Something that lets calls through, set up in one way. */
export interface Peer {
  /** The package, and where there are several ways what tells them apart. */
  name: string
  /** Absent for what is no package. */
  package?: string
  free?: Free
  held?: Held
  /** Why it has no row in a part. */
  leftOut?: Partial<Record<'uncontended' | 'contended' | 'waiters', string>>
}

/** So that no call has to wait. */
export interface Free {
  /** The set-up in a line. */
  setUp: string
  /** `try` takes or is refused at once; `call` is awaited, the task included. */
  how: 'try' | 'call'
  open(): Promise<Batch>
}

/** Makes so many calls, one after the other, as a caller would write it. */
export type Batch = (calls: number) => Promise<void>

/** So that calls wait until they are let go. */
export interface Held {
  setUp: string
  /** `concurrency`: one at a time, and the first has not ended. `window`: the window's limit is spent, and windows pass. */
  by: 'concurrency' | 'window'
  /** Which waiters an abort takes out: those of its signal, all of them, or none. */
  aborts: 'each' | 'all' | 'none'
  open(hold: Hold): Promise<Waiting>
}

/** What holds the calls of a peer that has windows alone. */
export interface Hold {
  limit: number
  windowMs: number
  /** Of a peer whose `aborts` are `all`. */
  signal?: AbortSignal | undefined
}

export interface Waiting {
  /** One caller from beginning to end: waits, does the task, gives back what it took. */
  call: (task: Task) => Promise<unknown>
  /** The waiting alone, without a caller's own code. */
  wait: (signal?: AbortSignal) => Promise<unknown>
  /** Lets those go who are held by concurrency. */
  release?: () => void
}

/** A batch of calls of what takes the task and is awaited. */
export function awaiting(call: () => Promise<unknown>): Batch {
  return async (calls) => {
    for (let left = calls; left > 0; left -= 1) await call()
  }
}

/** What tokens are taken from, one for each call. */
export interface Tokens {
  removeTokens(count: number): Promise<unknown>
}

/** A batch of calls that take a token each, and then do the task themselves. */
export function taking(tokens: Tokens): Batch {
  return async (calls) => {
    for (let left = calls; left > 0; left -= 1) {
      await tokens.removeTokens(1)
      await nothing()
    }
  }
}

/** Calls that wait for a token each. */
export function waitingFor(tokens: Tokens): Waiting {
  return {
    call: async (task) => {
      await tokens.removeTokens(1)
      await task()
    },
    wait: () => tokens.removeTokens(1),
  }
}

/** A task that ends when it is told to. */
export function endless(): { task: Task; end: () => void } {
  let end = (): void => {}
  const ended = new Promise<void>((resolve) => (end = resolve))
  return { task: () => ended, end }
}
