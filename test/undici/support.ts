import { setTimeout as pause } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import { onTestFinished } from 'vitest'
import { type CallOptions, createHeadgate, type HeadgateConfig, type UpstreamConfig } from '../../src/index.ts'
import { createUpstream, type UpstreamOptions } from '../../src/testing/index.ts'
import { headgateInterceptor } from '../../src/undici/index.ts'
import { versions } from '../conformance/faces.ts'

export { until } from '../conformance/stage.ts'
export { pause }

export type Version = keyof typeof versions
export const both = Object.keys(versions) as Version[]

/** A dispatcher whose every authority is paced by `pacing`. */
export function setUpDispatcher(
  version: Version,
  pacing: UpstreamConfig = {},
  { agent: options = {}, config = {}, call = {} }: { agent?: object; config?: HeadgateConfig; call?: CallOptions } = {},
) {
  const undici = versions[version]
  const headgate = createHeadgate({ default: { coldStartMs: 0, ...pacing }, ...config })
  const agent = new undici.Agent(options)
  const dispatcher = agent.compose(headgateInterceptor(headgate, call))
  onTestFinished(() => agent.destroy())
  const gate = () => headgate.snapshot().gates[0]
  return { undici, headgate, agent, dispatcher, gate, held: () => gate()?.limits[0]?.held }
}

/** An upstream on a real socket, closed when the test is over. */
export async function listen(options: UpstreamOptions = {}) {
  const upstream = createUpstream({ headers: 'none', ...options })
  const server = await upstream.listen()
  onTestFinished(() => server.close())
  return { upstream, origin: server.url }
}

export function get(origin: string, more: object = {}): Dispatcher.DispatchOptions {
  return { origin, path: '/', method: 'GET', ...more }
}
