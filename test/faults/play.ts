import { getEventListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { isRateLimitError } from '../../src/index.ts'
import { facesOver } from '../conformance/faces.ts'
import type { Face, Sender, Told } from '../conformance/face.ts'
import { callsOf, type Ending, type Fault } from './fault.ts'

/** One attempt in flight at a time, so that a permit that is not given back is missed by the next call. */
const pacing = { coldStartMs: 0, concurrency: 1, limits: { limit: 100, windowMs: 60_000 } }

/** The faces that a fault is met by. */
export function facesOf({ over, agent }: Fault): Face[] {
  if (over !== 'HTTP/2') return facesOver(agent)
  return facesOver({ allowH2: true, ...agent, connect: { rejectUnauthorized: false, ...agent?.connect } })
}

export interface Played {
  readonly sender: Sender
  readonly endings: Ending[]
  /** Listeners that are left on the callers' signals. */
  readonly listeners: () => number
}

/** Meets a fault; `arrived` resolves when the request of this call has. Leaves everything open. */
export async function play(
  fault: Fault,
  face: Face,
  url: string,
  arrived: (index: number) => Promise<unknown>,
): Promise<Played> {
  const sender = face.open({ default: { ...pacing, retry: fault.retry ?? false } }, {})
  const calls = Array.from({ length: callsOf(fault) }, (_, index) => call(fault, sender, url, () => arrived(index)))
  const ended = await Promise.all(calls)
  return {
    sender,
    endings: ended.map(({ ending }) => ending),
    listeners: () => ended.reduce((sum, { signal }) => sum + getEventListeners(signal, 'abort').length, 0),
  }
}

async function call({ ask, givesUp }: Fault, sender: Sender, url: string, arrived: () => Promise<unknown>) {
  const aborting = new AbortController()
  const { signal } = aborting
  const giveUp = (): void => aborting.abort(new DOMException('enough', 'AbortError'))
  const read = async (told: Told): Promise<Ending> => {
    const text = told.text()
    if (givesUp === 'in the body') giveUp()
    return [told.status, await text]
  }
  if (givesUp === 'before the headers') void arrived().then(giveUp)
  const ending = await sender
    .send(url, { ...ask, signal })
    .then(read)
    .catch(kindOf)
  return { ending, signal }
}

/** The code of an error or of what caused it, else its name. */
export function kindOf(error: unknown): string {
  if (isRateLimitError(error)) return error.reason
  const { code, name, cause } = error as { code?: unknown; name: string; cause?: unknown }
  if (typeof code === 'string') return code
  return typeof cause === 'object' && cause !== null ? kindOf(cause) : name
}

/** What `work` comes to, or an error that says that it takes too long. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const done = new AbortController()
  const late = pause(ms, undefined, { signal: done.signal }).then(() => {
    throw new Error(`not settled in ${ms} ms`)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    late.catch(() => {})
    done.abort()
  }
}
