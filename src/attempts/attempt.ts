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
  const { exchange } = call
  const { permit } = pass
  const sentAt = wire.clock.now()
  const tell = (outcome: AttemptOutcome, status?: number): void => {
    if (pass.post === undefined) return
    const durationMs = wire.clock.now() - sentAt
    const report = { kind: permit?.isProbe ? ('probe' as const) : kind, outcome, durationMs }
    wire.tell(pass.post.place, status === undefined ? report : { ...report, status })
  }
  if (exchange.signal?.aborted) {
    permit?.refund()
    throw exchange.signal.reason
  }
  let reply: R
  try {
    reply = await exchange.send(wire.owner, () => permit?.start())
  } catch (error) {
    const isRefused = exchange.isRefusedWith(error)
    if (isRefused || neverSent(error, exchange.url)) permit?.refund()
    else permit?.release()
    tell(exchange.signal?.aborted ? 'aborted' : 'error')
    if (exchange.signal?.aborted || isRefused) throw error
    return { pass, error }
  }
  const observation = await observe(wire, call, pass, reply)
  tell(outcomeOf(reply, observation), reply.status)
  return { pass, reply, observation }
}

/** Reads a reply and settles its permit. Only `isThrottled` takes time. */
function observe<R extends Reply>(
  wire: Wire,
  { exchange, isThrottled }: Call<R>,
  pass: Pass,
  reply: R,
): Observation | Promise<Observation> {
  const { clock } = wire
  const { status, headers } = reply
  const received = { status, nowMs: clock.wallNow(), at: clock.now() }
  const observation = (pass.post?.reader ?? new RateLimitReader()).read(headers, received)
  if (!isThrottled || observation.throttled) return settle(wire, pass, observation)
  const asked = async (): Promise<Observation> =>
    settle(wire, pass, { ...observation, throttled: await isThrottled(reply) })
  return asked().catch((error: unknown) => {
    pass.permit?.settle(observation)
    pass.permit?.release()
    exchange.discard(reply)
    throw error
  })
}

function settle(wire: Wire, { post, permit }: Pass, observation: Observation): Observation {
  permit?.settle(observation)
  if (post && observation.throttled && observation.scope === 'authority') wire.parkAuthority(post, observation)
  return observation
}

function outcomeOf({ status }: Reply, { throttled }: Observation): AttemptOutcome {
  if (throttled) return 'throttled'
  return status >= 500 ? 'error' : 'ok'
}
