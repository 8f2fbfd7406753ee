import type { Client, ConfiguredLimit, Setup } from './contender.ts'

/** One call, as a service makes it. */
export type Call = Client['call']

/** A GET whose body is read. */
export function fetching({ fetch, url }: Setup): Call {
  return async () => {
    const response = await fetch(url)
    await response.text()
    return response
  }
}

/**
 * `call` within one wrapper for each limit, the longest window's outermost: what that lets through at once is spread by the shorter ones,
 * where the other way round calls would pass the short ones in good time and come out of the long one all at once.
 */
export function nested(
  limits: readonly ConfiguredLimit[],
  call: Call,
  wrap: (limit: ConfiguredLimit, inner: Call) => Call,
): Call {
  const shortestFirst = limits.toSorted((a, b) => a.windowMs - b.windowMs)
  return shortestFirst.reduce((inner, limit) => wrap(limit, inner), call)
}
