import { ietf06, ietf08 } from './dialects/ietf.ts'
import { anthropic, openai } from './dialects/metered.ts'
import { riot } from './dialects/riot.ts'
import { discord, github, gitlab, reddit, shopify, twitch } from './dialects/single.ts'
import { httpDate } from './dialects/text.ts'
import type { HeaderState, HeaderWriter } from './header-state.ts'

/**
 * Which rate headers the upstream states. With no limit given it states none.
 *
 * - `x-ratelimit`: `x-ratelimit-limit`, `-remaining` and `-reset`, the reset in epoch seconds rounded up.
 * - `x-ratelimit-delta`: the same with the reset in seconds from now, rounded up.
 * - `ratelimit`: `ratelimit-limit`, `-remaining` and `-reset` in seconds from now, rounded up.
 * - `docker-hub`: as `x-ratelimit`, but the reset is 58 s from now on every response, as Docker Hub states it.
 * - `none`: none. A function writes its own.
 *
 * Those of real upstreams, as they write them. Resets are rounded up, what remains is in whole units and never below 0;
 * of several limits the tightest is stated unless all are said to be. Where the reset is that of a full bucket, that
 * wants limits of the kind `token-bucket`.
 *
 * - `github`: `x-ratelimit-limit`, `-remaining`, `-used`, `-reset` in epoch seconds and `-resource`, the limit's name or
 *   `core`.
 * - `gitlab`: `ratelimit-limit` per minute whatever the window, `-observed`, `-remaining`, `-name`, `-reset` in epoch
 *   seconds and `-resettime` as an HTTP date.
 * - `openai`: of all limits, `x-ratelimit-limit-requests`, `-remaining-requests` and `-reset-requests`, a Go duration
 *   until the bucket is full; the limit's name, else its unit, in the place of `requests`.
 * - `anthropic`: of all limits, `anthropic-ratelimit-requests-limit`, `-remaining` and `-reset`, the RFC 3339 time when
 *   the bucket is full; named as with `openai`, and tokens left to the nearest thousand.
 * - `discord`: `x-ratelimit-limit`, `-remaining`, `-reset` in epoch seconds and `-reset-after` in seconds, both to the
 *   ms, `-bucket`, the limit's name or `abcd1234`, and `-scope` when throttled.
 * - `ietf-06`: `ratelimit-limit`, `-remaining`, `-reset` in seconds from now and `-policy`, as `100;w=60`.
 * - `ietf-08`: of all limits, `ratelimit-policy`, as `"default";q=100;w=60`, and `ratelimit`, as `"default";r=50;t=30`;
 *   a limit is named by its name or `default`, its unit goes into `qu`.
 * - `shopify`: `x-shopify-shop-api-call-limit`, as `32/40`: used of the bucket's size, and no reset.
 * - `riot`: of all limits, `x-app-rate-limit`, as `20:1,100:120`, and `-count` with what is used, no reset; under
 *   `x-method-rate-limit` those whose name begins with `method`; `x-rate-limit-type` when throttled.
 * - `reddit`: `x-ratelimit-used`, `-remaining` with one decimal and `-reset` in seconds from now; no limit.
 * - `twitch`: `ratelimit-limit`, `-remaining` and `-reset`, the epoch second when the bucket is full.
 */
export type RateHeaders =
  | 'x-ratelimit'
  | 'x-ratelimit-delta'
  | 'docker-hub'
  | 'ratelimit'
  | 'none'
  | 'github'
  | 'gitlab'
  | 'openai'
  | 'anthropic'
  | 'discord'
  | 'ietf-06'
  | 'ietf-08'
  | 'shopify'
  | 'riot'
  | 'reddit'
  | 'twitch'
  | ((state: HeaderState) => Record<string, string>)

/**
 * What `retry-after` says on a throttled answer: nothing, the seconds until the refusing limit's reset rounded up (1 at
 * least), that instant as an HTTP date, always the same number of seconds, or what a function writes.
 */
export type RetryAfter = 'none' | 'seconds' | 'date' | number | ((state: HeaderState) => string)

const DOCKER_HUB_RESET_MS = 58_000

export const presets: Record<RateHeaders & string, HeaderWriter> = {
  none: () => ({}),
  'x-ratelimit': (state) => write('x-ratelimit', state, Math.ceil((state.wallMs + state.resetInMs) / 1000)),
  'x-ratelimit-delta': (state) => write('x-ratelimit', state, Math.ceil(state.resetInMs / 1000)),
  'docker-hub': (state) => write('x-ratelimit', state, Math.floor((state.wallMs + DOCKER_HUB_RESET_MS) / 1000)),
  ratelimit: (state) => write('ratelimit', state, Math.ceil(state.resetInMs / 1000)),
  github,
  gitlab,
  openai,
  anthropic,
  discord,
  'ietf-06': ietf06,
  'ietf-08': ietf08,
  shopify,
  riot,
  reddit,
  twitch,
}

function write(prefix: string, { limit, remaining }: HeaderState, reset: number): Record<string, string> {
  return {
    [`${prefix}-limit`]: String(limit),
    [`${prefix}-remaining`]: String(remaining),
    [`${prefix}-reset`]: String(reset),
  }
}

/** The rate headers of one answer. */
export function rateHeaders(style: RateHeaders, state: HeaderState): Record<string, string> {
  return typeof style === 'function' ? style(state) : presets[style](state)
}

/** The value of `retry-after`, or undefined for none. */
export function retryAfterValue(style: RetryAfter, state: HeaderState): string | undefined {
  if (style === 'none') return undefined
  if (typeof style === 'function') return style(state)
  if (typeof style === 'number') return String(style)
  const seconds = Math.max(1, Math.ceil(state.resetInMs / 1000))
  return style === 'seconds' ? String(seconds) : httpDate(state.wallMs + seconds * 1000)
}
