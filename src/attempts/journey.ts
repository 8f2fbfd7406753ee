import type { AttemptKind } from '../events.ts'
import type { AcquireOptions } from '../gate/acquire.ts'
import { isRateLimitError } from '../gate/errors.ts'
import type { Observation } from '../gate/observation.ts'
import type { Permit } from '../gate/permit.ts'
import { RetryEpisode } from '../retry/episode.ts'
import type { RetryOptions } from '../retry/policy.ts'
import { type Answer, type Pass, sendAttempt } from './attempt.ts'
import type { Call, CallReport, Kept, Reply, Wire } from './call.ts'
import { sleep } from './sleep.ts'

/** What passes between reading the clock for the park and for the pause. */
const CLOCK_STEP_MS = 1

/** What a call that may not go on gives its caller: the last response, or the error that stands in for one. */
type Fallback<R> = { kept: Kept<R>; observation: Observation } | { error: unknown }

/** The reply that is a call's answer. `redirects` were followed to it. */
export interface Arrived<R> {
  reply: R
  redirects: number
  report: CallReport
}

/** Makes attempts, one permit each, until one is neither to be retried nor redirected. */
export function callThrough<R extends Reply>(wire: Wire, call: Call<R>): Promise<Arrived<R>> {
  return new Journey(wire, call).run()
}

/** One call, from its first attempt to the reply that is its answer. */
class Journey<R extends Reply> {
  readonly #wire: Wire
  #call: Call<R>
  #episode: RetryEpisode | undefined
  /** Its place in the order of asking, at the gate it is at. */
  #arrival: number | undefined
  #attempts = 0
  #waitedMs = 0
  #redirects = 0
  #kind: AttemptKind = 'first'
  #fallback: Fallback<R> | undefined

  constructor(wire: Wire, call: Call<R>) {
    this.#wire = wire
    this.#call = call
    this.#episode = episodeOf(call.retry)
  }

  async run(): Promise<Arrived<R>> {
    try {
      for (;;) {
        if (this.#wire.closing.closed && this.#fallback) return await this.#fallBack()
        const post = this.#call.post()
        const askedAt = this.#wire.clock.now()
        let permit: Permit | undefined
        try {
          permit = await post?.gate.acquire(this.#asking)
        } catch (error) {
          return await this.#refused(error, askedAt)
        }
        this.#enter(permit, askedAt)
        const answer = await sendAttempt(this.#wire, this.#call, { post, permit }, this.#kind)
        if (isFailedProbe(answer)) this.#arrival = undefined
        const pauseMs = this.#pauseBeforeNext(answer)
        if (pauseMs !== undefined) {
          this.#giveUp(answer)
          if (!(await this.#pause(pauseMs))) return await this.#fallBack()
        } else if (!this.#redirect(answer)) return this.#finish(answer)
      }
    } finally {
      this.#forget()
      this.#call.exchange.dispose()
    }
  }

  /**
   * How the next attempt asks for its permit. One who tries again keeps its place, but for one whose probe failed, and what is left of its
   * allowance.
   */
  get #asking(): AcquireOptions {
    const { weight, priority, maxWaitMs, whenParked, exchange } = this.#call
    const { signal, startsLater } = exchange
    const allowance = this.#episode?.allowance
    return { weight, priority, maxWaitMs, whenParked, signal, startsLater, arrival: this.#arrival, allowance }
  }

  /** An attempt may go: what came before is let go. */
  #enter(permit: Permit | undefined, askedAt: number): void {
    this.#forget()
    this.#attempts += 1
    if (permit === undefined) return
    this.#waitedMs += permit.sentAt - askedAt
    this.#arrival = permit.arrival
    if (permit.parkedSince !== undefined) this.#episode?.begin(permit.parkedSince)
  }

  /** No permit is to be had: a caller who is refused gets what came before, if anything has. */
  #refused(error: unknown, askedAt: number): Promise<Arrived<R>> {
    this.#waitedMs += this.#wire.clock.now() - askedAt
    if (isRateLimitError(error) && this.#fallback) return this.#fallBack()
    throw error
  }

  /** How long to pause before asking for the next permit; undefined where this answer is the call's. */
  #pauseBeforeNext(answer: Answer<R>): number | undefined {
    const { clock, closing } = this.#wire
    const { exchange, idempotent } = this.#call
    if (!this.#episode || !exchange.replayable || closing.closed) return undefined
    const { throttled = false, retryAfterMs } = 'observation' in answer ? answer.observation : {}
    const status = 'reply' in answer ? answer.reply.status : undefined
    const outcome = { now: clock.now(), random: clock.random?.() ?? 0.5, throttled, status, retryAfterMs }
    const verdict = this.#episode.after(outcome, idempotent)
    if (!verdict.retry) return undefined
    const { post } = answer.pass
    if (!throttled || !post) return verdict.afterMs
    // The gate is parked by this very answer as a rule, and then waiting there keeps the place in its queue.
    if (post.gate.explain(this.#asking).wouldWaitMs + CLOCK_STEP_MS < verdict.afterMs) return verdict.afterMs
    return post.gate.refuses(this.#asking) ? undefined : 0
  }

  /** The answer is not the call's, unless none comes after it. */
  #giveUp(answer: Answer<R>): void {
    answer.pass.permit?.release()
    this.#kind = 'retry'
    this.#fallback =
      'error' in answer
        ? answer
        : {
            kept: this.#call.exchange.keep(answer.reply, this.#wire.clock),
            observation: answer.observation,
          }
  }

  /** Another attempt is made, or the call is over: what came before is let go. */
  #forget(): void {
    if (this.#fallback && 'kept' in this.#fallback) this.#fallback.kept.drop()
    this.#fallback = undefined
  }

  async #pause(ms: number): Promise<boolean> {
    const { clock, closing } = this.#wire
    const before = clock.now()
    const slept = ms === 0 || (await sleep(clock, ms, this.#call.exchange.signal, closing))
    this.#waitedMs += clock.now() - before
    return slept
  }

  /** Goes on to where the answer sends the call, if it does. */
  #redirect(answer: Answer<R>): boolean {
    if (!('reply' in answer) || !this.#call.redirect) return false
    const { reply, pass } = answer
    const before = this.#call.exchange
    const next = this.#follow(reply, pass)
    if (next === undefined) return false
    pass.permit?.release()
    this.#call = next
    this.#episode = episodeOf(next.retry, this.#episode)
    before.dispose()
    this.#redirects += 1
    this.#arrival = undefined
    this.#kind = 'redirect'
    return true
  }

  #follow(reply: R, { permit }: Pass): Call<R> | undefined {
    try {
      return this.#call.redirect?.(reply, this.#redirects)
    } catch (error) {
      permit?.release()
      throw error
    }
  }

  #finish(answer: Answer<R>): Arrived<R> {
    if ('error' in answer) throw answer.error
    const { reply, observation, pass } = answer
    if (this.#call.holdsBody && pass.permit) this.#call.exchange.whenEnds(reply, () => pass.permit?.release())
    else pass.permit?.release()
    return this.#arrived(reply, observation)
  }

  async #fallBack(): Promise<Arrived<R>> {
    const fallback = this.#fallback!
    this.#fallback = undefined
    if ('error' in fallback) throw fallback.error
    return this.#arrived(await fallback.kept.handBack(), fallback.observation)
  }

  #arrived(reply: R, observation: Observation): Arrived<R> {
    const report = { attempts: this.#attempts, waitedMs: this.#waitedMs, observation }
    return { reply, redirects: this.#redirects, report }
  }
}

/** By the rules of where the call is going; what it has spent on its way there counts. */
function episodeOf(retry: RetryOptions | false, before?: RetryEpisode): RetryEpisode | undefined {
  if (retry === false) return undefined
  const episode = new RetryEpisode(retry, before?.toJSON())
  if (before?.startedAt !== undefined) episode.begin(before.startedAt)
  return episode
}

/** The upstream throttles what this call asks for; another's may be what it answers. */
function isFailedProbe<R extends Reply>(answer: Answer<R>): boolean {
  return 'observation' in answer && answer.observation.throttled && (answer.pass.permit?.isProbe ?? false)
}
