import type { UpstreamConfig } from '../../src/index.ts'
import type { Ask } from '../conformance/face.ts'

/** Where a fault is met, and how many requests have arrived there. */
export interface Site {
  readonly url: string
  readonly arrivals: () => number
  readonly close: () => Promise<void>
}

/** Status and body, or the kind of error: its code, else its name. */
export type Ending = readonly [status: number, body: string] | string

/** What each call comes to, and what it leaves behind. */
export interface Expected {
  /** An error by what its kind matches. */
  readonly comesTo: readonly [status: number, body: string] | RegExp
  /** How many attempts are made. Default 1. */
  readonly attempts?: number
  /** How many requests arrive. Default as many as attempts. */
  readonly arrivals?: number
  /** How many attempts are held against the limit: 0 where all certainly never reached the server. Default all; `some` is up to all. */
  readonly counted?: number | 'some'
}

/** One thing that goes wrong on a socket. */
export interface Fault extends Expected {
  readonly name: string
  /** What the server does. */
  readonly serve: () => Promise<Site>
  readonly over?: 'HTTP/2'
  /** Options of the dispatcher that the calls go by. */
  readonly agent?: { connect?: object; [option: string]: unknown }
  readonly ask?: Ask
  /** When the caller aborts: once the request has arrived, or the headers of its response have. Default never. */
  readonly givesUp?: 'before the headers' | 'in the body'
  /** Default: never retried. */
  readonly retry?: UpstreamConfig['retry']
  /** How many calls are made, of which one is in flight at a time. Default 2. */
  readonly calls?: number
  /** Faces, by how their names begin, whose process does not end as it should without headgate either, and why. */
  readonly exit?: { readonly by: readonly string[]; readonly why: string }
  /** What differs, by how the name of a face begins. */
  readonly differs?: Readonly<Record<string, Partial<Expected>>>
}

export function callsOf({ calls = 2 }: Fault): number {
  return calls
}

/** What `fault` comes to for a face, defaults filled in. */
export function expectedOf(fault: Fault, face: string): Required<Expected> {
  const own = Object.entries(fault.differs ?? {}).find(([name]) => face.startsWith(name))?.[1]
  const { comesTo, attempts = 1, arrivals = attempts, counted = attempts } = { ...fault, ...own }
  return { comesTo, attempts, arrivals, counted }
}

/** Lost connections: which code it is depends on whether a read or a write saw it first. */
export const LOST = /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/
