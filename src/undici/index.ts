import type { Dispatcher } from 'undici'
import { callThrough } from '../attempts/journey.ts'
import { type Calls, merged } from '../calls.ts'
import { assertCallOptions } from '../config.ts'
import { passesThrough } from '../fetch/layers.ts'
import { isRateLimitError } from '../gate/errors.ts'
import type { Headgate } from '../headgate.ts'
import type { CallOptions } from '../options.ts'
import { refusalHeaders } from '../refusal.ts'
import { sharedCalls } from '../shared-calls.ts'
import { DispatchExchange } from './exchange.ts'
import { HeldReply } from './held-reply.ts'
import { originOf, type PacedOptions } from './options.ts'

export type { PacedOptions } from './options.ts'

/**
 * Paces every request of a dispatcher by the gates of `headgate`: `agent.compose(headgateInterceptor(headgate))`. `options` are for every
 * call; those under `headgate` in the options of a request override them, and `headgate: false` stays out of it. Compose it before
 * `redirect` and `retry`, so that each of their requests takes a permit; after them, all that they send for one request goes by one
 * permit, and the gate sees the last response alone. `isThrottled` and `redirects` of an upstream are for fetch only. A socket that an
 * upgrade or a CONNECT gives is handed over at once, whatever its status, and holds its place until it is closed.
 * Throws a `ConfigError` for what is no headgate of this copy of the package, or options that make no sense.
 */
export function headgateInterceptor(
  headgate: Headgate,
  options: CallOptions = {},
): Dispatcher.DispatcherComposeInterceptor {
  assertCallOptions(options)
  const calls = sharedCalls(headgate)
  return (dispatch) => (request, handler) => dispatchPaced(calls, dispatch, request, handler, options)
}

function dispatchPaced(
  calls: Calls,
  dispatch: Dispatcher.Dispatch,
  request: PacedOptions,
  handler: Dispatcher.DispatchHandler,
  defaults: CallOptions,
): boolean {
  const { own, rest } = split(request)
  if (own) assertCallOptions(own)
  const route = own !== false && calls.routeOf(originOf(rest))
  if (!route) return dispatch(rest, handler)
  const exchange = new DispatchExchange(dispatch, rest, handler)
  if (passesThrough(calls.wire.owner, exchange, rest)) return dispatch(rest, handler)
  const options = merged(defaults, own || undefined)
  const refuseWith = options.refuseWith ?? route.upstream.config.refuseWith
  try {
    callThrough(calls.wire, calls.callOf(route, exchange, options)).then(
      ({ reply }) => exchange.deliver(reply),
      (error: unknown) => giveUp(exchange, error, refuseWith),
    )
  } catch (error) {
    giveUp(exchange, error, refuseWith)
  }
  return true
}

function split(request: PacedOptions): { own: CallOptions | false | undefined; rest: Dispatcher.DispatchOptions } {
  if (!('headgate' in request)) return { own: undefined, rest: request }
  const { headgate, ...rest } = request
  return { own: headgate, rest }
}

function giveUp(exchange: DispatchExchange, error: unknown, refuseWith: 'error' | 'response' = 'error'): void {
  const refusal = refuseWith === 'response' && isRateLimitError(error) ? error : undefined
  const headers = refusal && refusalHeaders(refusal)
  if (headers) exchange.deliver(HeldReply.refusal(headers, refusal.message))
  else exchange.fail(error as Error)
}
