type Schedule = (then: () => void) => unknown

/** The two ways to a macrotask that no host clamps to 4 ms, as `setTimeout` is. */
export interface MacrotaskHost {
  /** There in pages and their workers, where messages are macrotasks; elsewhere they may come between microtasks. */
  document?: unknown
  importScripts?: unknown
  setImmediate?: Schedule
  MessageChannel?: new () => {
    port1: { onmessage: (() => void) | null }
    port2: { postMessage(message: unknown): void }
  }
}

/** A scheduler of macrotasks for this host. */
export function chooseSchedule({ setImmediate, MessageChannel, document, importScripts }: MacrotaskHost): Schedule {
  if (setImmediate !== undefined) return (then) => setImmediate(then)
  const isBrowser = document !== undefined || importScripts !== undefined
  if (MessageChannel === undefined || !isBrowser) return (then) => setTimeout(then, 0)
  const waiting: (() => void)[] = []
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => waiting.shift()?.()
  return (then) => {
    waiting.push(then)
    port2.postMessage(0)
  }
}

// Chosen when the module loads, so that fake timers a test runner installs later do not hold the virtual clock up.
const schedule = chooseSchedule(globalThis as unknown as MacrotaskHost)

/** Resolves once all promise work that is due has run: microtasks empty before the next macrotask begins. */
export function settle(): Promise<void> {
  return new Promise((resolve) => schedule(resolve))
}
