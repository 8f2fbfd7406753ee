import type { MeterReading } from './meter.ts'

/** What the functions that write headers are told: the tightest limit's reading, and the answer it goes on. */
export interface HeaderState extends MeterReading {
  /** The upstream's own wall time when it counted the request, in ms since the epoch. */
  wallMs: number
  /** Whether a meter refused the request. */
  throttled: boolean
  /** The readings of all limits, in the order they were given. */
  readings: MeterReading[]
}

/**
 * Which rate headers the upstream states.
 * `x-ratelimit`: `x-ratelimit-limit`, `-remaining` and `-reset`, the reset in epoch seconds rounded up.
 * `x-ratelimit-delta`: the same with the reset in seconds from now, rounded up.
 * `ratelimit`: `ratelimit-limit`, `-remaining` and `-reset` in seconds from now, rounded up.
 * `docker-hub`: as `x-ratelimit`, but the reset is 58 s from now on every response, as Docker Hub states it.
 * `none`: none. A function writes its own.
 */
export type RateHeaders =
  | 'x-ratelimit'
  | 'x-ratelimit-delta'
  | 'docker-hub'
  | 'ratelimit'
  | 'none'
  | ((state: HeaderState) => Record<string, string>)

/**
 * What `retry-after` says on a throttled answer: nothing, the seconds until the refusing limit's reset rounded up (1 at
 * least), that instant as an HTTP date, always the same number of seconds, or what a function writes.
 */
export type RetryAfter = 'none' | 'seconds' | 'date' | number | ((state: HeaderState) => string)

const DOCKER_HUB_RESET_MS = 58_000

const presets = {
  none: () => ({}),
  'x-ratelimit': (state: HeaderState) =>
    write('x-ratelimit', state, Math.ceil((state.wallMs + state.resetInMs) / 1000)),
  'x-ratelimit-delta': (state: HeaderState) => write('x-ratelimit', state, Math.ceil(state.resetInMs / 1000)),
  'docker-hub': (state: HeaderState) =>
    write('x-ratelimit', state, Math.floor((state.wallMs + DOCKER_HUB_RESET_MS) / 1000)),
  ratelimit: (state: HeaderState) => write('ratelimit', state, Math.ceil(state.resetInMs / 1000)),
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

/** An HTTP date, cut to whole seconds as the format has it. */
export function httpDate(wallMs: number): string {
  return new Date(wallMs).toUTCString()
}
