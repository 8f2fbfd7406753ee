import { httpDate } from './dialects/text.ts'
import type { Arrival, Fault } from './faults.ts'
import type { HeaderState } from './header-state.ts'
import { rateHeaders, retryAfterValue } from './headers.ts'
import type { UpstreamOptions } from './options.ts'

/** What an answer consists of, apart from when it comes. */
export interface Content {
  status: number
  headers: Record<string, string>
  body: string
}

export const DEFAULT_THROTTLED_STATUS = 429

/** What the upstream answers to one arrival that was counted as `state` says. */
export function compose(options: UpstreamOptions, arrival: Arrival, fault: Fault, state: HeaderState): Content {
  const status = fault.status ?? (state.throttled ? throttledStatus(options) : ordinaryStatus(options, arrival))
  const headers = merge({ ...stated(options, fault, state), ...retryAfter(options, status, state) }, fault.headers)
  return { status, headers, body: fault.body ?? bodyOf(options, arrival, status) }
}

export function throttledStatus({ throttledStatus = DEFAULT_THROTTLED_STATUS }: UpstreamOptions): number {
  return throttledStatus
}

/** Whether an answer of this status tells the client to slow down. */
export function isThrottling(options: UpstreamOptions, status: number): boolean {
  return status === DEFAULT_THROTTLED_STATUS || status === throttledStatus(options)
}

function ordinaryStatus({ status = 200 }: UpstreamOptions, arrival: Arrival): number {
  return typeof status === 'function' ? status(arrival) : status
}

function bodyOf({ body }: UpstreamOptions, arrival: Arrival, status: number): string {
  if (typeof body === 'function') return body(arrival, status)
  return body ?? (status < 400 ? 'ok' : '')
}

function stated(options: UpstreamOptions, fault: Fault, state: HeaderState): Record<string, string> {
  const { headers = 'x-ratelimit', date = true } = options
  const { rateHeaders: states = fault.counted ?? true } = fault
  const nothingToState = !states || (state.readings.length === 0 && typeof headers !== 'function')
  return {
    'content-type': 'text/plain',
    ...(date ? { date: httpDate(state.wallMs + (fault.delayMs ?? 0)) } : {}),
    ...(nothingToState ? {} : rateHeaders(headers, state)),
  }
}

function retryAfter(options: UpstreamOptions, status: number, state: HeaderState): Record<string, string> {
  if (!isThrottling(options, status)) return {}
  const value = retryAfterValue(options.retryAfter ?? 'none', state)
  return value === undefined ? {} : { 'retry-after': value }
}

/** Names are compared in lower case; an empty value takes the header away. */
function merge(base: Record<string, string>, added: Record<string, string> = {}): Record<string, string> {
  const merged = { ...base }
  for (const [name, value] of Object.entries(added)) {
    delete merged[name.toLowerCase()]
    if (value !== '') merged[name.toLowerCase()] = value
  }
  return merged
}
