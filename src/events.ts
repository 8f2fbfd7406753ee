import * as check from './gate/check.ts'
import type { RefusalReason } from './gate/errors.ts'
import type { Cause } from './gate/limit.ts'
import type { Via } from './gate/share.ts'

/** Where something happened. `partition` is an opaque label, never the key. */
export interface Place {
  upstream: string
  host: string
  port: number
  partition: string
}

/** What one response said about one limit, in numbers; the upstream's own words are left out. */
export interface ReadingEvent {
  limit?: number
  remaining?: number
  used?: number
  windowMs?: number
  resetInMs?: number
  resetStepMs?: number
}

/** Why an attempt was made. */
export type AttemptKind = 'first' | 'retry' | 'redirect' | 'probe'

/** What became of an attempt. */
export type AttemptOutcome = 'ok' | 'throttled' | 'error' | 'aborted'

/** What a headgate tells, by event. Durations are milliseconds. */
export interface HeadgateEvents {
  /** An attempt ended, `durationMs` after it went on its way: its headers arrived, or none will. */
  'headgate:attempt': Place & { kind: AttemptKind; outcome: AttemptOutcome; status?: number; durationMs: number }
  /** A caller got its permit after waiting. `cause` is what held it, or the first in its line, last. */
  'headgate:wait': Place & { waitedMs: number; cause: Cause }
  /** The gate was shut, or its park lengthened. `hinted` where the upstream said for how long. */
  'headgate:park': Place & { forMs: number; hinted: boolean }
  /** One attempt went out to learn whether the upstream has recovered. */
  'headgate:probe': Place
  /** The probe's answer opened the gate. */
  'headgate:reopen': Place
  /** A caller was refused. */
  'headgate:refuse': Place & { reason: RefusalReason; retryAfterMs?: number }
  /**
   * A shared budget goes by another word from now on: the engine's, or while that is away this process's own part of each limit
   * (`share`), all of it (`open`) or none (`closed`). `why` is `answered`, `timeout`, `unreachable`, `failed`, the server's
   * own code, or `idle`: the engine was away when this gate went out of use, and is asked when it is used again.
   */
  'headgate:degrade': Place & { via: Via; why: string }
  /** A response stated limits. */
  'headgate:reading': Place & { limits: ReadingEvent[] }
}

const EVENT_NAMES: Record<keyof HeadgateEvents, true> = {
  'headgate:attempt': true,
  'headgate:wait': true,
  'headgate:park': true,
  'headgate:probe': true,
  'headgate:reopen': true,
  'headgate:refuse': true,
  'headgate:degrade': true,
  'headgate:reading': true,
}

const checkName = check.choice(...Object.keys(EVENT_NAMES))

export type EventName = keyof HeadgateEvents
export type Listener<Name extends EventName> = (event: HeadgateEvents[Name]) => void

/** One of `node:diagnostics_channel`, where there is such a module. */
interface Channel {
  readonly hasSubscribers: boolean
  publish(message: unknown): void
}

type Diagnostics = { channel: (name: string) => Channel }
type Runtime = { process?: { getBuiltinModule?: (name: string) => Diagnostics | undefined } }

/** Tells listeners and diagnostics channels. Nobody listening costs nothing, and a listener that throws harms nobody. */
export class Events {
  readonly #listeners = new Map<EventName, Set<Listener<never>>>()
  readonly #channels = new Map<EventName, Channel>()
  readonly #diagnostics = (globalThis as Runtime).process?.getBuiltinModule?.('node:diagnostics_channel')

  /** Returns what takes the listener off again. */
  on<Name extends EventName>(name: Name, listener: Listener<Name>): () => void {
    check.assertValid(checkName, name, 'event')
    check.assertValid(check.aFunction, listener, 'listener')
    const listeners = this.#listeners.get(name) ?? new Set()
    this.#listeners.set(name, listeners)
    // Each registration is its own, so that taking one off leaves another of the same function.
    const own: Listener<Name> = (event) => listener(event)
    listeners.add(own)
    return () => void listeners.delete(own)
  }

  emit<Name extends EventName>(name: Name, event: () => HeadgateEvents[Name]): void {
    const listeners = this.#listeners.get(name)
    const channel = this.#channel(name)
    if (!listeners?.size && !channel?.hasSubscribers) return
    const message = event()
    for (const listener of listeners ?? []) quietly(listener as Listener<Name>, message)
    if (channel?.hasSubscribers) quietly((event) => channel.publish(event), message)
  }

  #channel(name: EventName): Channel | undefined {
    const known = this.#channels.get(name)
    if (known || !this.#diagnostics) return known
    const channel = this.#diagnostics.channel(name)
    this.#channels.set(name, channel)
    return channel
  }
}

function quietly<Event>(tell: (event: Event) => void, event: Event): void {
  try {
    tell(event)
  } catch {
    // What a listener throws is its own affair.
  }
}
