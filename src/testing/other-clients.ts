import { createRandom, type Random } from '../random.ts'

/** When another client sends, and how heavy its requests are. */
export interface Span {
  /** When they begin, in ms after the upstream was created. Default 0. */
  startMs?: number
  /** When they end, exclusive, in ms after the upstream was created. Default never. */
  untilMs?: number
  /** Weight of each request, charged to every limit whatever its unit. Default 1. */
  weight?: number
}

/** Requests that others send to the same limits: evenly spaced, at random with that mean, or `burst` at once. */
export type OtherClient = Span & ({ perMinute: number; poisson?: boolean } | { burst: number; everyMs: number })

/** The next arrivals of one client. Nothing is drawn or counted before it is asked for. */
interface Source {
  nextMs: number
  readonly requests: number
  readonly weight: number
  step(): void
}

function even(startMs: number, stepMs: number): (index: number) => number {
  return (index) => startMs + index * stepMs
}

function poisson(startMs: number, meanMs: number, random: Random): () => number {
  let atMs = startMs
  return () => (atMs -= meanMs * Math.log(1 - random()))
}

function arrivals(client: OtherClient, random: Random): (index: number) => number {
  const { startMs = 0 } = client
  if ('burst' in client) return even(startMs, positive('everyMs', client.everyMs))
  const gapMs = 60_000 / positive('perMinute', client.perMinute)
  return client.poisson === true ? poisson(startMs, gapMs, random) : even(startMs, gapMs)
}

function positive(name: string, value: number): number {
  if (value > 0 && value < Infinity) return value
  throw new RangeError(`otherClients: ${name} must be a finite number above 0, is ${value}`)
}

function createSource(client: OtherClient, random: Random): Source {
  const at = arrivals(client, random)
  const { untilMs = Infinity, weight = 1 } = client
  const bounded = (ms: number): number => (ms < untilMs ? ms : Infinity)
  let index = 0
  return {
    nextMs: bounded(at(index)),
    requests: 'burst' in client ? client.burst : 1,
    weight,
    step() {
      this.nextMs = bounded(at(++index))
    },
  }
}

/**
 * Merges the arrivals of all other clients in time order. `catchUp(toMs, arrive)` hands over those up to and including
 * `toMs`, each request on its own; instants are ms after the upstream was created.
 */
export function createOtherClients(clients: OtherClient[], seed: number) {
  const sources = clients.map((client, index) => createSource(client, createRandom(seed + index)))
  return function catchUp(toMs: number, arrive: (atMs: number, weight: number) => void): void {
    for (;;) {
      const next = earliest(sources)
      if (next === undefined || next.nextMs > toMs) return
      for (let request = 0; request < next.requests; request++) arrive(next.nextMs, next.weight)
      next.step()
    }
  }
}

function earliest(sources: Source[]): Source | undefined {
  let first = sources[0]
  for (const source of sources) if (first !== undefined && source.nextMs < first.nextMs) first = source
  return first
}
