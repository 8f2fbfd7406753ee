import type { AcquireOptions } from '../gate/acquire.ts'
import type { Clock } from '../gate/clock.ts'
import type { Gate } from '../gate/gate.ts'
import type { Observation } from '../gate/observation.ts'
import type { Permit } from '../gate/permit.ts'
import type { Explanation } from '../gate/report.ts'
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
  readonly maxQueueSize: number | undefined
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
  /** No attempt is let through any more. */
  readonly closed: () => boolean
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

/** What passes between reading the clock for the park and for the pause. */
const CLOCK_STEP_MS = 1

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

async function attempt(wire: Wire, call: Call, permit: Permit): Promise<Answer> {
  const { source } = call
  if (source.signal?.aborted) {
    permit.refund()
    throw source.signal.reason
  }
  let response: Response
  try {
    const passage = { owner: wire.owner, method: source.method, url: source.url.href, passed: false }
    response = await sendMarked(wire.fetch, passage, ...source.next())
  } catch (error) {
    if (neverSent(error)) permit.refund()
    else permit.release()
    if (source.signal?.aborted || source.isRefusedWith(error)) throw error
    return { permit, error }
  }
  return { permit, response, observation: await observe(wire, call, permit, response) }
}

async function observe(wire: Wire, { isThrottled }: Call, permit: Permit, response: Response): Promise<Observation> {
  const observation = readRateLimit(response.headers, { status: response.status, nowMs: wire.clock.wallNow() })
  try {
    if (!observation.throttled && isThrottled) observation.throttled = await isThrottled(response)
    permit.settle(observation)
    return observation
  } catch (error) {
    permit.settle(observation)
    permit.release()
    discard(response)
    throw error
  }
}

/** How long to pause before asking for the next permit; undefined where this answer is the call's. */
function pauseBeforeNext(wire: Wire, call: Call, episode: RetryEpisode, answer: Answer): number | undefined {
  if (!call.source.replayable || wire.closed()) return undefined
  const now = wire.clock.now()
  const random = wire.clock.random?.() ?? 0.5
  const { throttled = false, retryAfterMs } = 'observation' in answer ? answer.observation : {}
  const status = 'response' in answer ? answer.response.status : undefined
  const verdict = episode.after({ now, random, throttled, status, retryAfterMs }, call.idempotent)
  if (!verdict.retry) return undefined
  const explanation = call.gate().explain(call.acquire)
  const { wouldWaitMs } = explanation
  if (throttled && wouldWaitMs > episode.remainingMs(now)) return undefined
  // The gate is parked by this very answer as a rule, and then waiting there keeps the place in its queue.
  const waitsAtGate = throttled && wouldWaitMs + CLOCK_STEP_MS >= verdict.afterMs
  const pauseMs = waitsAtGate ? 0 : verdict.afterMs
  return isRefusedAfter(pauseMs, call, explanation) ? undefined : pauseMs
}

/** Whether the gate as it stands would refuse the next attempt: the answer at hand is worth more than a refusal. */
function isRefusedAfter(pauseMs: number, { acquire, maxQueueSize = Infinity }: Call, gate: Explanation): boolean {
  const waitMs = gate.wouldWaitMs - pauseMs
  if (waitMs <= 0) return false
  const isShut = gate.boundBy === 'park' || gate.boundBy === 'probe'
  if (acquire.whenParked === 'refuse' && isShut) return true
  return waitMs > (acquire.maxWaitMs ?? Infinity) || gate.queued >= maxQueueSize
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
