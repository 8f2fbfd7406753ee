import type { AttemptKind } from '../events.ts'
import type { AcquireOptions } from '../gate/acquire.ts'
import { isRateLimitError } from '../gate/errors.ts'
import type { Observation } from '../gate/observation.ts'
import { RetryEpisode } from '../retry/episode.ts'
import { type Answer, type Pass, sendAttempt } from './attempt.ts'
import { discard, whenBodyEnds } from './body.ts'
import type { Call, CallReport, Post, Wire } from './call.ts'
import { KeptResponse } from './kept-response.ts'
import { failure, isRedirect, MAX_REDIRECTS, nextHop, redirectTarget } from './redirect.ts'
import { sleep } from './sleep.ts'

/** What passes between reading the clock for the park and for the pause. */
const CLOCK_STEP_MS = 1

/** What a call that may not go on gives its caller: the last response, or the error that stands in for one. */
type Fallback = { kept: KeptResponse; observation: Observation } | { error: unknown }

/** Makes attempts, one permit each, until one is neither to be retried nor redirected. */
export async function callThrough(wire: Wire, call: Call): Promise<{ response: Response; report: CallReport }> {
  return new Journey(wire, call).run()
}

/** One call, from its first attempt to the response that is its answer. */
class Journey {
  readonly #wire: Wire
  #call: Call
  #episode: RetryEpisode | undefined
  /** Its place in the order of asking, at the gate it is at. */
  #arrival: number | undefined
  #attempts = 0
  #waitedMs = 0
  #redirects = 0
  #kind: AttemptKind = 'first'
  #fallback: Fallback | undefined

  constructor(wire: Wire, call: Call) {
    this.#wire = wire
    this.#call = call
    this.#episode = episodeOf(call.retry)
  }

  async run(): Promise<{ response: Response; report: CallReport }> {
    try {
      return await this.#run()
    } finally {
      this.#call.source.dispose()
    }
  }

  async #run(): Promise<{ response: Response; report: CallReport }> {
    for (;;) {
      if (this.#wire.closing.closed && this.#fallback) return this.#fallBack()
      const post = this.#call.post()
      const pass = await this.#enter(post)
      if (pass === undefined) return this.#fallBack()
      this.#forget()
      this.#attempts += 1
      const answer = await sendAttempt(this.#wire, this.#call, pass, this.#kind)
      const pauseMs = this.#pauseBeforeNext(post, answer)
      if (pauseMs !== undefined) {
        this.#giveUp(answer)
        if (!(await this.#pause(pauseMs))) return this.#fallBack()
      } else if (!this.#redirect(answer)) return this.#finish(answer)
    }
  }

  /** Takes a permit. Undefined where the caller is refused and has a fallback. */
  async #enter(post: Post | undefined): Promise<Pass | undefined> {
    if (post === undefined) return { post, permit: undefined }
    const askedAt = this.#wire.clock.now()
    const { acquire, source } = this.#call
    try {
      const permit = await post.gate.acquire({ ...acquire, ...this.#standing, signal: source.signal })
      this.#waitedMs += permit.sentAt - askedAt
      this.#arrival = permit.arrival
      if (permit.parkedSince !== undefined) this.#episode?.begin(permit.parkedSince)
      return { post, permit }
    } catch (error) {
      this.#waitedMs += this.#wire.clock.now() - askedAt
      if (isRateLimitError(error) && this.#fallback) return undefined
      throw error
    }
  }

  /** One who tries again keeps its place, and what is left of its allowance. */
  get #standing(): Pick<AcquireOptions, 'arrival' | 'allowance'> {
    return { arrival: this.#arrival, allowance: this.#episode?.allowance }
  }

  /** How long to pause before asking for the next permit; undefined where this answer is the call's. */
  #pauseBeforeNext(post: Post | undefined, answer: Answer): number | undefined {
    const { clock, closing } = this.#wire
    const { source, idempotent, acquire } = this.#call
    if (!this.#episode || !source.replayable || closing.closed) return undefined
    const { throttled = false, retryAfterMs } = 'observation' in answer ? answer.observation : {}
    const status = 'response' in answer ? answer.response.status : undefined
    const outcome = { now: clock.now(), random: clock.random?.() ?? 0.5, throttled, status, retryAfterMs }
    const verdict = this.#episode.after(outcome, idempotent)
    if (!verdict.retry) return undefined
    if (!throttled || !post) return verdict.afterMs
    // The gate is parked by this very answer as a rule, and then waiting there keeps the place in its queue.
    if (post.gate.explain({ ...acquire, ...this.#standing }).wouldWaitMs + CLOCK_STEP_MS < verdict.afterMs)
      return verdict.afterMs
    return post.gate.refuses({ ...acquire, ...this.#standing }) ? undefined : 0
  }

  /** The answer is not the call's, unless none comes after it. */
  #giveUp(answer: Answer): void {
    answer.pass.permit?.release()
    this.#kind = 'retry'
    this.#fallback =
      'error' in answer
        ? answer
        : { kept: new KeptResponse(answer.response, this.#wire.clock), observation: answer.observation }
  }

  /** Another attempt is made: what came before it is let go. */
  #forget(): void {
    if (this.#fallback && 'kept' in this.#fallback) this.#fallback.kept.drop()
    this.#fallback = undefined
  }

  async #pause(ms: number): Promise<boolean> {
    const { clock, closing } = this.#wire
    const before = clock.now()
    const slept = ms === 0 || (await sleep(clock, ms, this.#call.source.signal, closing))
    this.#waitedMs += clock.now() - before
    return slept
  }

  /** Goes on to where the answer sends the call, if it does. */
  #redirect(answer: Answer): boolean {
    if (!('response' in answer) || !this.#call.source.followsHops) return false
    const { response, pass } = answer
    const { status } = response
    if (!isRedirect(response)) return false
    discard(response)
    pass.permit?.release()
    if (this.#redirects === MAX_REDIRECTS) throw failure(`more than ${MAX_REDIRECTS} redirects`)
    const { source } = this.#call
    const hop = nextHop(status, source, redirectTarget(response, source.url), source.replayable)
    this.#call = this.#call.reroute(source.redirected(hop))
    this.#episode = episodeOf(this.#call.retry, this.#episode)
    source.dispose()
    this.#redirects += 1
    this.#arrival = undefined
    this.#kind = 'redirect'
    return true
  }

  #finish(answer: Answer): { response: Response; report: CallReport } {
    if ('error' in answer) throw answer.error
    const { response, observation, pass } = answer
    if (this.#call.holdsBody && pass.permit) whenBodyEnds(response, () => pass.permit?.release())
    else pass.permit?.release()
    return this.#reported(response, observation)
  }

  async #fallBack(): Promise<{ response: Response; report: CallReport }> {
    const fallback = this.#fallback!
    if ('error' in fallback) throw fallback.error
    return this.#reported(await fallback.kept.handBack(), fallback.observation)
  }

  #reported(response: Response, observation: Observation): { response: Response; report: CallReport } {
    if (this.#redirects > 0) Object.defineProperty(response, 'redirected', { value: true, configurable: true })
    return { response, report: { attempts: this.#attempts, waitedMs: this.#waitedMs, observation } }
  }
}

/** By the rules of where the call is going; what it has spent on its way there counts. */
function episodeOf(retry: Call['retry'], before?: RetryEpisode): RetryEpisode | undefined {
  if (retry === false) return undefined
  const episode = new RetryEpisode(retry, before?.toJSON())
  if (before?.startedAt !== undefined) episode.begin(before.startedAt)
  return episode
}
