import type { AttemptKind, AttemptOutcome } from '../events.ts'
import type { Observation } from '../gate/observation.ts'
import type { Permit } from '../gate/permit.ts'
import { RateLimitReader } from '../headers/index.ts'
import type { Call, Post, Reply, Wire } from './call.ts'
import { neverSent } from './transport.ts'

/** What an attempt was let through with; empty where its requests pass through untouched. */
export interface Pass {
  readonly post: Post | undefined
  readonly permit: Permit | undefined
}

/** What came back of one attempt. */
export type Answer<R> = { pass: Pass } & ({ reply: R; observation: Observation } | { error: unknown })

/** Makes one HTTP request and reports what became of it. Throws where no other attempt may follow. */
export async function sendAttempt<R extends Reply>(
  wire: Wire,
  call: Call<R>,
  pass: Pass,
  kind: AttemptKind,
): Promise<Answer<R>> {
  const { exchange, isThrottled } = call
  if (exchange.signal?.aborted) {
    pass.permit?.refund()
    throw exchange.signal.reason
  }
  let reply: R
  try {
    reply = await exchange.send(wire.owner, pass.permit)
  } catch (error) {
    return fail(wire, call, pass, kind, error)
  }
  const at = wire.clock.now()
  const read = readReply(wire, pass, reply, at)
  const observation = isThrottled && !read.throttled ? await ask(isThrottled, call, pass, reply, read) : read
  settle(wire, pass, observation)
  tell(wire, pass, kind, outcomeOf(reply, observation), at, reply.status)
  return { pass, reply, observation }
}

/** No reply came. Throws where another attempt would fail the same way, or its caller wants none. */
function fail<R extends Reply>(
  wire: Wire,
  { exchange }: Call<R>,
  pass: Pass,
  kind: AttemptKind,
  error: unknown,
): Answer<R> {
  const isRefused = exchange.isRefusedWith(error)
  const isAborted = exchange.signal?.aborted ?? false
  if (isRefused || neverSent(error, exchange.url)) pass.permit?.refund()
  else pass.permit?.release()
  tell(wire, pass, kind, isAborted ? 'aborted' : 'error', wire.clock.now())
  if (isAborted || isRefused) throw error
  return { pass, error }
}

function readReply({ clock }: Wire, { post }: Pass, { status, headers }: Reply, at: number): Observation {
  return (post?.reader ?? new RateLimitReader()).read(headers, { status, nowMs: clock.wallNow(), at })
}

/** What the headers have said, with the caller's own word on whether the reply throttles. */
async function ask<R extends Reply>(
  isThrottled: NonNullable<Call<R>['isThrottled']>,
  { exchange }: Call<R>,
  { permit }: Pass,
  reply: R,
  read: Observation,
): Promise<Observation> {
  try {
    return { ...read, throttled: await isThrottled(reply) }
  } catch (error) {
    permit?.settle(read)
    permit?.release()
    exchange.discard(reply)
    throw error
  }
}

function settle(wire: Wire, { post, permit }: Pass, observation: Observation): void {
  permit?.settle(observation)
  if (post && observation.throttled && observation.scope === 'authority') wire.parkAuthority(post, observation)
}

/** Tells of an attempt that ended at `at`. */
function tell(
  wire: Wire,
  { post, permit }: Pass,
  kind: AttemptKind,
  outcome: AttemptOutcome,
  at: number,
  status?: number,
): void {
  if (post === undefined || permit === undefined) return
  wire.tell(post.place, { kind: permit.isProbe ? 'probe' : kind, outcome, status, durationMs: at - permit.sentAt })
}

function outcomeOf({ status }: Reply, { throttled }: Observation): AttemptOutcome {
  if (throttled) return 'throttled'
  return status >= 500 ? 'error' : 'ok'
}
