import type { Fault } from './fault.ts'
import { facesOf } from './play.ts'
import { bodies, uploads } from './table/bodies.ts'
import { certificates, connecting } from './table/connecting.ts'
import { heads } from './table/heads.ts'
import { retried } from './table/retried.ts'
import { streams } from './table/streams.ts'
import { tellings } from './table/tellings.ts'

/** Every fault, by kind. */
export const faults: Readonly<Record<string, readonly Fault[]>> = {
  'no connection': connecting,
  'no trusted connection': certificates,
  'no response': heads,
  'a response that ends badly': bodies,
  'a server that stops reading': uploads,
  'headers in contradiction': tellings,
  'HTTP/2': streams,
  'tried again': retried,
}

/** How many faults are injected: each by every face. */
export const injections = Object.values(faults)
  .flat()
  .reduce((sum, fault) => sum + facesOf(fault).length, 0)
