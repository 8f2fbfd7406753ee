import type { IncomingHttpHeaders } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Dispatcher } from 'undici'

type Controller = Dispatcher.DispatchController
type Raw = Buffer[]

/** What a handler does when it is told something. */
export interface Acts {
  start?(controller: Pick<Controller, 'abort'>): void
  headers?(controller: Controller, status: number): void
  data?(controller: Controller): void
  end?(): void
  upgrade?(): void
}

/** The hooks that a handler was told, in order, with those of their arguments that matter. */
export interface Recording {
  handler: Dispatcher.DispatchHandler
  told: unknown[][]
  /** Ends with the request. */
  done: Promise<void>
}

/** A handler as it is today. */
export function record(acts: Acts = {}): Recording {
  const { told, done, over, chunk, upgraded } = notes()
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(controller, context: unknown) {
      told.push(['start', context ?? null, controller.aborted, controller.paused, controller.reason])
      acts.start?.(controller)
    },
    onRequestUpgrade(controller, status, headers, socket) {
      told.push(['upgrade', status, plain(headers), texts(controller.rawHeaders)])
      upgraded(socket)
      acts.upgrade?.()
    },
    onResponseStarted: () => void told.push(['first byte']),
    onResponseStart(controller, status, headers, message) {
      told.push(['headers', status, plain(headers), message, texts(controller.rawHeaders)])
      acts.headers?.(controller, status)
    },
    onResponseData(controller, bytes) {
      chunk(bytes)
      acts.data?.(controller)
    },
    onResponseEnd(controller, trailers) {
      told.push(['end', plain(trailers), texts(controller.rawTrailers)])
      queueMicrotask(over)
      acts.end?.()
    },
    onResponseError(controller: Controller | null | undefined, error) {
      told.push(['error', ...traits(error), controller?.aborted ?? false])
      over()
    },
    onBodySent: (bytes) => void told.push(['body sent', String(bytes)]),
    onRequestSent: () => void told.push(['request sent']),
  }
  return { handler, told, done }
}

/** One as undici 7 makes them. */
export function recordLegacy(acts: Acts = {}): Recording {
  const { told, done, over, chunk, upgraded } = notes()
  let abort: (reason: Error) => void = () => {}
  const controller = { abort: (reason: Error) => abort(reason) } as Controller
  const handler = {
    onConnect(given: (reason: Error) => void) {
      told.push(['start'])
      abort = given
      acts.start?.(controller)
    },
    onUpgrade(status: number, headers: Raw, socket: Duplex) {
      told.push(['upgrade', status, texts(headers)])
      upgraded(socket)
      acts.upgrade?.()
    },
    onResponseStarted: () => void told.push(['first byte']),
    onHeaders(status: number, headers: Raw, _resume: () => void, message: string) {
      told.push(['headers', status, texts(headers), message])
      acts.headers?.(controller, status)
      return true
    },
    onData(bytes: Buffer) {
      chunk(bytes)
      acts.data?.(controller)
      return true
    },
    onComplete(trailers: Raw) {
      told.push(['end', texts(trailers)])
      queueMicrotask(over)
      acts.end?.()
    },
    onError(error: Error) {
      told.push(['error', ...traits(error)])
      over()
    },
  }
  return { handler: handler as Dispatcher.DispatchHandler, told, done }
}

function notes() {
  const told: unknown[][] = []
  let over = (): void => {}
  const done = new Promise<void>((resolve) => (over = resolve))
  /** How a body is cut is the sockets' affair. */
  const chunk = (bytes: Buffer): void => {
    const last = told.at(-1)
    if (last?.[0] === 'data') last[1] += String(bytes)
    else told.push(['data', String(bytes)])
  }
  const upgraded = (socket: Duplex): void => {
    socket.once('data', (bytes) => {
      told.push(['over the socket', String(bytes)])
      socket.destroy()
    })
    socket.on('error', () => {})
    socket.once('close', over)
  }
  return { told, done, over: () => over(), chunk, upgraded }
}

/** As its class of errors tells it, but for ports. */
function traits(error: Error & { code?: string }): unknown[] {
  return [error.name, error.code, error.message.replace(/\d{4,}/g, 'N')]
}

function plain(headers: IncomingHttpHeaders): object {
  return { ...headers }
}

function texts(raw: Controller['rawHeaders']): unknown {
  return Array.isArray(raw) ? raw.map(String) : raw
}
