import type { AttemptKind, AttemptOutcome } from '../events.ts'
import type { Observation } from '../gate/observation.ts'
import type { Permit } from '../gate/permit.ts'
import type { Weight } from '../gate/weight.ts'
import { RateLimitReader } from '../headers/index.ts'
import { discard } from './body.ts'
import type { Call, Post, Wire } from './call.ts'
import { sendMarked } from './layers.ts'
import { neverSent } from './transport.ts'

/** What an attempt was let through with; empty where its requests pass through untouched. */
export interface Pass {
  readonly post: Post | undefined
  readonly permit: Permit | undefined
}

/** What came back of one attempt. */
export type Answer = { pass: Pass } & ({ response: Response; observation: Observation } | { error: unknown })

/** Makes one HTTP request and reports what became of it. Throws where no other attempt may follow. */
export async function sendAttempt(wire: Wire, call: Call, pass: Pass, kind: AttemptKind): Promise<Answer> {
  const { source } = call
  const sentAt = wire.clock.now()
  const tell = (outcome: AttemptOutcome, status?: number): void => {
    if (pass.post === undefined) return
    const durationMs = wire.clock.now() - sentAt
    const report = { kind: pass.permit?.isProbe ? ('probe' as const) : kind, outcome, durationMs }
    wire.tell(pass.post.place, status === undefined ? report : { ...report, status })
  }
  if (source.signal?.aborted) {
    pass.permit?.refund()
    throw source.signal.reason
  }
  let response: Response
  try {
    const passage = { owner: wire.owner, method: source.method, url: source.url.href, passed: false }
    response = await sendMarked(wire.fetch, passage, ...source.next())
  } catch (error) {
    if (neverSent(error, source.url)) pass.permit?.refund()
    else pass.permit?.release()
    tell(source.signal?.aborted ? 'aborted' : 'error')
    if (source.signal?.aborted || source.isRefusedWith(error)) throw error
    return { pass, error }
  }
  const observation = await observe(wire, call, pass, response)
  tell(outcomeOf(response, observation), response.status)
  return { pass, response, observation }
}

async function observe(
  wire: Wire,
  { isThrottled, acquire }: Call,
  { post, permit }: Pass,
  response: Response,
): Promise<Observation> {
  const { clock } = wire
  const received = { status: response.status, nowMs: clock.wallNow(), at: clock.now() }
  const observation = (post?.reader ?? new RateLimitReader()).read(response.headers, received)
  try {
    if (!observation.throttled && isThrottled) observation.throttled = await isThrottled(response)
    if (observation.cost) permit?.correct(weightWith(acquire.weight, observation.cost))
    permit?.settle(observation)
    if (post && observation.throttled && observation.scope === 'authority') wire.parkAuthority(post)
    return observation
  } catch (error) {
    permit?.settle(observation)
    permit?.release()
    discard(response)
    throw error
  }
}

function outcomeOf({ status }: Response, { throttled }: Observation): AttemptOutcome {
  if (throttled) return 'throttled'
  return status >= 500 ? 'error' : 'ok'
}

/** What the attempt was estimated to weigh, but for what its response says. */
function weightWith(weight: Weight = 1, cost: Readonly<Record<string, number>>): Weight {
  return { ...(typeof weight === 'number' ? { requests: weight } : weight), ...cost }
}
