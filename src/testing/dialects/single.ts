import type { HeaderState } from '../header-state.ts'
import { decimalSeconds, httpDate, left, spent, wholeSeconds } from './text.ts'

/** `used` goes on above the limit, while `remaining` stays at 0. */
export function github(state: HeaderState): Record<string, string> {
  return {
    'x-ratelimit-limit': String(state.limit),
    'x-ratelimit-remaining': String(left(state)),
    'x-ratelimit-used': String(spent(state)),
    'x-ratelimit-reset': String(wholeSeconds(state.wallMs + state.resetInMs)),
    'x-ratelimit-resource': state.name ?? 'core',
  }
}

/** The limit is stated per minute, rounded up, whatever the window is; what is left and used are those of the window. */
export function gitlab(state: HeaderState): Record<string, string> {
  const reset = wholeSeconds(state.wallMs + state.resetInMs)
  return {
    'ratelimit-limit': String(Math.ceil((state.limit * 60_000) / state.windowMs)),
    'ratelimit-name': state.name ?? 'throttle_authenticated_api',
    'ratelimit-observed': String(spent(state)),
    'ratelimit-remaining': String(left(state)),
    'ratelimit-reset': String(reset),
    'ratelimit-resettime': httpDate(reset * 1000),
  }
}

/** The scope is stated on throttled answers alone. */
export function discord(state: HeaderState): Record<string, string> {
  return {
    'x-ratelimit-limit': String(state.limit),
    'x-ratelimit-remaining': String(left(state)),
    'x-ratelimit-reset': decimalSeconds(state.wallMs + state.resetInMs),
    'x-ratelimit-reset-after': decimalSeconds(state.resetInMs),
    'x-ratelimit-bucket': state.name ?? 'abcd1234',
    ...(state.throttled ? { 'x-ratelimit-scope': 'user' } : {}),
  }
}

/** A full bucket states no more than its size. */
export function shopify(state: HeaderState): Record<string, string> {
  return { 'x-shopify-shop-api-call-limit': `${Math.min(spent(state), state.limit)}/${state.limit}` }
}

/** The limit itself is not stated. */
export function reddit(state: HeaderState): Record<string, string> {
  return {
    'x-ratelimit-used': String(spent(state)),
    'x-ratelimit-remaining': left(state).toFixed(1),
    'x-ratelimit-reset': String(wholeSeconds(state.resetInMs)),
  }
}

export function twitch(state: HeaderState): Record<string, string> {
  return {
    'ratelimit-limit': String(state.limit),
    'ratelimit-remaining': String(left(state)),
    'ratelimit-reset': String(wholeSeconds(state.wallMs + state.resetInMs)),
  }
}
