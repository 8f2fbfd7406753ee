import type { CallOptions, Headgate, HeadgateConfig } from '../../src/index.ts'

/** What is asked for, in whatever words a face has for it. */
export interface Ask {
  path?: string
  method?: string
  headers?: Record<string, string>
  body?: string
  /** The body comes as a stream of these, and can be read once. */
  once?: string[]
  /** What the call says for itself. */
  call?: CallOptions | false
  signal?: AbortSignal
}

/** A response whose body is still to be read. */
export interface Told {
  status: number
  headers: Headers
  text(): Promise<string>
}

/** What a face sends with, until it is closed. */
export interface Sender {
  headgate: Headgate
  /** Rejects as the face does. */
  send(url: string, ask: Ask): Promise<Told>
  close(): Promise<void>
}

/** One way in which requests of a headgate are made. */
export interface Face {
  readonly name: string
  /** `defaults` are for every call. */
  open(config: HeadgateConfig, defaults: CallOptions): Sender
}
