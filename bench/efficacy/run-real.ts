import { systemClock } from '../built.ts'
import type { Contender } from '../contenders/contender.ts'
import { type Call, play } from './play.ts'
import { createScenarioUpstream, recordOf, type Run } from './run-one.ts'
import type { Scenario } from './scenario.ts'

/** Plays one scenario with one contender against the clock, over a socket. */
export async function runReal(contender: Contender, scenario: Scenario, seed: number): Promise<Run> {
  const upstream = createScenarioUpstream(scenario, seed)
  const server = await upstream.listen()
  const { configured: limits, headers: headersStated } = scenario
  const url = `${server.url}/v1/things`
  const client = await contender.create({ limits, fetch: globalThis.fetch, url, headersStated })
  const calls: Call[] = []
  await play(scenario.load, client, systemClock, seed, calls)
  await client.close?.()
  await server.close()
  return { end: 'settled', calls, ...recordOf(upstream) }
}
