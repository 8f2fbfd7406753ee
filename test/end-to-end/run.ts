import { createHeadgate, type UpstreamConfig, type Weight } from '../../src/index.ts'
import {
  createUpstream,
  sample,
  type UpstreamOptions,
  type UpstreamReport,
  VirtualClock,
} from '../../src/testing/index.ts'

/** The account of the Docker Hub source: refused requests count, and `reset` is about now + 58 s on every response. */
export const DOCKER_HUB: UpstreamOptions = {
  limits: { kind: 'rolling', limit: 600, windowMs: 60_000 },
  countRefused: true,
  headers: 'docker-hub',
}

export interface Run {
  upstream?: UpstreamOptions
  config?: UpstreamConfig
  /** Of each call. Default 1. */
  weight?: Weight
  /** Log-normal time from send to headers; the request is counted somewhere on the way, 400 ms after the send at most. */
  medianMs?: number
  sigma?: number
  minutes: number
  workers?: number
  /** Pause of each worker between calls. */
  everyMs?: number
  /** Calls of each worker. Default unbounded. */
  calls?: number
  seed?: number
}

export interface Result extends UpstreamReport {
  /** Calls that were answered, by status. */
  answers: Record<number, number>
  okPerMinute: number
}

/** Workers call through `headgate.fetch` as fast as they may, in virtual time. */
export async function run({
  minutes,
  workers = 25,
  everyMs = 0,
  calls = Infinity,
  seed = 1,
  weight = 1,
  ...given
}: Run): Promise<Result> {
  const clock = new VirtualClock({ seed })
  const upstream = createUpstream({
    ...DOCKER_HUB,
    latency: latencyOf(given),
    maxUpMs: 400,
    ...given.upstream,
    seed,
    clock,
    log: false,
  })
  const { config = { limits: { limit: 600, windowMs: 60_000 }, concurrency: 25 } } = given
  const headgate = createHeadgate({
    clock,
    fetch: upstream.fetch,
    upstreams: { 'hub.docker.com': { retry: false, ...config } },
  })
  const endMs = minutes * 60_000
  const answers: Record<number, number> = {}
  const work = async (): Promise<void> => {
    for (let call = 0; call < calls && clock.now() < endMs; call += 1) {
      const response = await headgate.fetch('https://hub.docker.com/v2/', { headgate: { weight } })
      await response.text()
      answers[response.status] = (answers[response.status] ?? 0) + 1
      if (everyMs > 0) await clock.sleep(everyMs)
    }
  }
  for (let worker = 0; worker < workers; worker += 1) void work()
  await clock.advance(endMs)
  const report = upstream.report()
  return { ...report, answers, okPerMinute: report.ok / minutes }
}

function latencyOf({
  medianMs = 100,
  sigma = 0.3,
}: Pick<Run, 'medianMs' | 'sigma'>): NonNullable<UpstreamOptions['latency']> {
  const whole = { medianMs, sigma }
  return {
    upMs: (random) => sample(whole, random) * random(),
    downMs: (random) => sample(whole, random) * (1 - random()),
  }
}
