import type { HeadgateFetch } from './options.ts'

const PACED = Symbol.for('headgate.fetch')

/** Marks a fetch as one that takes permits already. */
export function markPaced(fetch: HeadgateFetch): HeadgateFetch {
  return Object.defineProperty(fetch, PACED, { value: true })
}

/** Whether a fetch takes permits already, of this copy of the package or another. */
export function isPaced(fetch: unknown): boolean {
  return typeof fetch === 'function' && PACED in fetch
}
