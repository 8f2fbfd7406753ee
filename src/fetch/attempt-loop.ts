import type { AcquireOptions } from '../gate/acquire.ts'
import type { Clock } from '../gate/clock.ts'
import type { Gate } from '../gate/gate.ts'
import type { Observation } from '../gate/observation.ts'
import type { Permit } from '../gate/permit.ts'
import { readRateLimit } from '../headers/index.ts'
import { RetryEpisode } from '../retry/episode.ts'
import type { RetryPolicy } from '../retry/policy.ts'
import { discard, whenBodyEnds } from './body.ts'
import { sendMarked } from './layers.ts'
import type { RequestSource } from './request.ts'
import { sleep } from './sleep.ts'
import { neverSent } from './transport.ts'

/** One call on its way to one upstream. */
export interface Call {
  readonly source: RequestSource
  /** The gate of the call's partition; asked for before each attempt, since an idle one may have been let go meanwhile. */
  readonly gate: () => Gate
  readonly acquire: Pick<AcquireOptions, 'weight' | 'priority' | 'maxWaitMs' | 'whenParked'>
  /** False for a call that is never retried. */
  readonly retry: RetryPolicy | false
  /** A failed attempt may be made again although it may have been carried out. */
  readonly idempotent: boolean
  /** The permit is held to the end of the body. */
  readonly holdsBody: boolean
  readonly isThrottled: ((response: Response) => boolean | Promise<boolean>) | undefined
}

/** What all calls of one headgate share. */
export interface Wire {
  /** Whose permits these are. */
  readonly owner: object
  readonly clock: Clock
  readonly fetch: typeof fetch
}

/** What became of a call. */
export interface CallReport {
  /** HTTP requests made, the first included. */
  attempts: number
  /** Time spent waiting for permits and between attempts, in milliseconds. */
  waitedMs: number
  /** What the last response said of the limits. */
  observation: Observation
}

/** What came back of one attempt. */
type Answer = { permit: Permit } & ({ response: Response; observation: Observation } | { error: unknown })

/** Makes attempts, one permit each, until one is not to be retried. */
export async function callThrough(wire: Wire, call: Call): Promise<{ response: Response; report: CallReport }> {
  const episode = call.retry ? new RetryEpisode(call.retry) : undefined
  let waitedMs = 0
  for (let attempts = 1; ; attempts += 1) {
    const askedAt = wire.clock.now()
    const permit = await call.gate().acquire({ ...call.acquire, signal: call.source.signal })
    waitedMs += permit.sentAt - askedAt
    const answer = await attempt(wire, call, permit)
    const pauseMs = episode && pauseBeforeNext(wire, call, episode, answer)
    if (pauseMs === undefined) {
      const { response, observation } = finish(call, answer)
      return { response, report: { attempts, waitedMs, observation } }
    }
    giveUp(answer)
    await sleep(wire.clock, pauseMs, call.source.signal)
    waitedMs += pauseMs
  }
}

async function attempt(wire: Wire, { source, isThrottled }: Call, permit: Permit): Promise<Answer> {
  if (source.signal?.aborted) {
    permit.refund()
    throw source.signal.reason
  }
  try {
    const passage = { owner: wire.owner, method: source.method, url: source.url.href, passed: false }
    const response = await sendMarked(wire.fetch, passage, ...source.next())
    const observation = readRateLimit(response.headers, { status: response.status, nowMs: wire.clock.wallNow() })
    if (!observation.throttled && (await isThrottled?.(response))) observation.throttled = true
    permit.settle(observation)
    return { permit, response, observation }
  } catch (error) {
    if (neverSent(error)) permit.refund()
    else permit.release()
    if (source.signal?.aborted) throw error
    return { permit, error }
  }
}

/** How long to pause before asking for the next permit; undefined where this answer is the call's. */
function pauseBeforeNext(wire: Wire, call: Call, episode: RetryEpisode, answer: Answer): number | undefined {
  if (!call.source.replayable) return undefined
  const now = wire.clock.now()
  const random = wire.clock.random?.() ?? 0.5
  const { throttled = false, retryAfterMs } = 'observation' in answer ? answer.observation : {}
  const status = 'response' in answer ? answer.response.status : undefined
  const verdict = episode.after({ now, random, throttled, status, retryAfterMs }, call.idempotent)
  if (!verdict.retry) return undefined
  if (!throttled) return verdict.afterMs
  const gateMs = call.gate().explain(call.acquire).wouldWaitMs
  return gateMs > episode.remainingMs(now) ? undefined : Math.max(0, verdict.afterMs - gateMs)
}

function giveUp(answer: Answer): void {
  if ('response' in answer) discard(answer.response)
  answer.permit.release()
}

function finish({ holdsBody }: Call, answer: Answer): { response: Response; observation: Observation } {
  const { permit } = answer
  if ('error' in answer) throw answer.error
  if (holdsBody) whenBodyEnds(answer.response, () => permit.release())
  else permit.release()
  return answer
}
