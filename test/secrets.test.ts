import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { inspect } from 'node:util'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createHeadgate, type EventName, type Headgate, type HeadgateEvents } from '../src/index.ts'
import { instrument } from '../src/opentelemetry/index.ts'
import { type Engine, memoryEngine, sharedBudget } from '../src/shared/index.ts'
import type { Fault, VirtualClock } from '../src/testing/index.ts'
import { type Inner, setUp } from './fetch/support.ts'

const EVENTS: Record<keyof HeadgateEvents, true> = {
  'headgate:attempt': true,
  'headgate:wait': true,
  'headgate:park': true,
  'headgate:probe': true,
  'headgate:reopen': true,
  'headgate:refuse': true,
  'headgate:reading': true,
  'headgate:degrade': true,
}
const NAMES = Object.keys(EVENTS) as EventName[]

/** What must not be told, each where it is planted. */
const secrets = {
  partition: 'planted-partition',
  ownPartition: 'planted-own-partition',
  authorization: 'planted-authorization',
  requestHeader: 'planted-request-header',
  path: 'planted-path',
  query: 'planted-query',
  fragment: 'planted-fragment',
  requestBody: 'planted-request-body',
  responseHeader: 'planted-response-header',
  cookie: 'planted-cookie',
  hint: 'planted-hint',
  rateHeader: 'planted-rate-header',
  policy: 'planted-policy',
  location: 'planted-location',
  statusText: 'planted-status-text',
  responseBody: 'planted-response-body',
  budgetName: 'planted-budget-name',
  engineError: 'planted-engine-error',
}

/** A snapshot calls a limit by the name that its upstream gave it. */
const ALLOWED = ['snapshot: policy']

/** What the upstream answers, over and over: parks with and without a hint, readings, failures and redirects that lead nowhere. */
const ANSWERS: (Fault | 'fails')[] = [
  { status: 429, headers: { 'retry-after': '5' } },
  { status: 429, headers: { 'retry-after': secrets.hint, 'ratelimit-reset': secrets.rateHeader } },
  {
    status: 200,
    headers: {
      'ratelimit-limit': `5;w=60;name="${secrets.policy}"`,
      'ratelimit-remaining': '4',
      'ratelimit-reset': '60',
    },
  },
  { status: 200, headers: { 'x-ratelimit-limit': secrets.rateHeader, 'x-ratelimit-remaining': secrets.rateHeader } },
  { status: 302, headers: { location: `ftp://${secrets.location}:${secrets.location}@x/${secrets.location}` } },
  { status: 302, headers: { location: `http://[${secrets.location}` } },
  { status: 500 },
  'fails',
]

/** A fetch that gives these answers in turn. */
function answering(pause: () => Promise<void>): Inner {
  let sent = 0
  return async () => {
    const answer = ANSWERS[sent++ % ANSWERS.length]!
    await pause()
    if (answer === 'fails') throw new TypeError('fetch failed')
    const headers = new Headers({ ...answer.headers, 'x-secret': secrets.responseHeader, 'set-cookie': secrets.cookie })
    // More than is kept of a response whose call is to be tried again.
    const body = secrets.responseBody.repeat(5_000)
    return new Response(body, { status: answer.status!, statusText: secrets.statusText, headers })
  }
}

/** The lines that `NODE_DEBUG=headgate` writes, of headgates that are made from now on. */
function debugLines(): string[] {
  const lines: string[] = []
  const builtin = process.getBuiltinModule.bind(process)
  const debuglog = (section: string) =>
    Object.assign((text: string) => void lines.push(text), { enabled: section === 'headgate' })
  vi.spyOn(process, 'getBuiltinModule').mockImplementation(((name: string) =>
    name === 'node:util' ? { debuglog } : builtin(name)) as typeof process.getBuiltinModule)
  onTestFinished(() => void vi.restoreAllMocks())
  return lines
}

function channelMessages(): unknown[] {
  const messages: unknown[] = []
  for (const name of NAMES) {
    const hear = (message: unknown) => void messages.push([name, message])
    subscribe(name, hear)
    onTestFinished(() => void unsubscribe(name, hear))
  }
  return messages
}

function metricsOf(headgate: Headgate) {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 2 ** 30 })
  instrument(headgate, { meterProvider: new MeterProvider({ readers: [reader] }) })
  return async () => {
    await reader.forceFlush()
    return exporter.getMetrics()
  }
}

/** Everything that can be got out of a value: its own properties, hidden ones and causes included, and what it is as text and JSON. */
function textOf(value: unknown): string {
  const shown = inspect(value, {
    depth: Infinity,
    maxArrayLength: null,
    maxStringLength: null,
    showHidden: true,
    getters: true,
  })
  return `${shown}\n${JSON.stringify(value)}`
}

/** An error as those who log it show it. */
function tellError(error: unknown): unknown {
  const { message, stack, cause } = error as Error
  return [error, String(error), message, stack, cause, JSON.stringify(error), { ...(error as object) }]
}

const ADDRESS = `https://api.example/${secrets.path}?q=${secrets.query}#${secrets.fragment}`

/** A headgate that is told every secret, and what it tells, by source. One more source is one more line here or in `look`. */
function listenToAll() {
  const told: Record<string, unknown[]> = {
    debug: debugLines(),
    channels: channelMessages(),
    events: [],
    errors: [],
    snapshot: [],
    explain: [],
    save: [],
    metrics: [],
    engine: [],
  }
  const tell = (source: string) => (what: unknown) => void told[source]!.push(what)
  const { headgate, clock } = setUp(
    {
      limits: { limit: 2, windowMs: 1_000 },
      maxQueueSize: 2,
      partition: ({ headers }) => `${secrets.partition} of ${headers.get('authorization')}`,
      retry: { rateLimited: { maxDurationMs: 4_000 } },
    },
    {},
    { fetch: answering(() => clock.sleep(300)) },
  )
  const metrics = metricsOf(headgate)
  for (const name of NAMES) headgate.on(name, (event) => tell('events')([name, event]))

  /** The body is read too: it may not have been kept. */
  const call = (options: object = {}) =>
    headgate
      .fetch(ADDRESS, {
        method: 'PUT',
        body: secrets.requestBody,
        headers: { authorization: secrets.authorization, 'x-secret': secrets.requestHeader },
        headgate: options,
      })
      .then((response) => response.text())
      .catch(tell('errors'))
  const look = async () => {
    tell('snapshot')(headgate.snapshot())
    tell('explain')([headgate.explain(ADDRESS), headgate.explain(ADDRESS, { partition: secrets.ownPartition })])
    tell('save')(headgate.save())
    tell('metrics')(await metrics())
  }
  return { told, headgate, clock, call, look }
}

/** Calls once by a budget that is shared over an engine, and once while that is away. */
async function callSharing(told: Record<string, unknown[]>, clock: VirtualClock): Promise<void> {
  const engine = memoryEngine({ clock })
  const recording: Engine = {
    call: (gate, call) => {
      told['engine']!.push([gate, call])
      return engine.down ? Promise.reject(new Error(`connect ${secrets.engineError}`)) : engine.call(gate, call)
    },
  }
  const partition = () => secrets.partition
  const headgate = createHeadgate({
    clock,
    fetch: async () =>
      new Response(null, {
        headers: { 'ratelimit-limit': `5;w=60;name="${secrets.policy}"`, 'ratelimit-remaining': '4' },
      }),
    upstreams: { 'api.example': { limits: { limit: 2, windowMs: 1_000 }, partition } },
    shared: sharedBudget({ engine: recording, name: secrets.budgetName }),
  })
  for (const name of NAMES) headgate.on(name, (event) => void told['events']!.push([name, event]))
  await clock.runUntil(headgate.fetch(ADDRESS))
  engine.down = true
  await clock.advance(1_000)
  told['snapshot']!.push(headgate.snapshot())
  await headgate.close()
}

/** Calls until everything has happened that a headgate tells. */
async function collect(): Promise<Record<string, unknown[]>> {
  const { told, headgate, clock, call, look } = listenToAll()
  const callLater = () => void call({ whenParked: 'refuse' })
  headgate.on('headgate:probe', () => void clock.setTimer(callLater, 100, { keepAlive: true }))
  const options = [{}, {}, { maxWaitMs: 0 }, { whenParked: 'refuse' }, {}, {}, { weight: 99 }, { weight: -1 }]
  for (let round = 0; round < 12; round += 1) {
    const own = round % 3 === 0 ? { partition: secrets.ownPartition } : {}
    const calls = options.map((option) => call({ ...own, ...option }))
    await clock.advance(400)
    await look()
    callLater()
    await clock.runUntil(Promise.all(calls))
    await look()
  }
  await callSharing(told, clock)
  const last = call()
  await headgate.close()
  await clock.runUntil(Promise.all([last, call()]))
  return told
}

test('what is secret is told nowhere', async () => {
  const { errors, ...told } = await collect()
  const sources: Record<string, string> = {
    ...Object.fromEntries(Object.entries(told).map(([source, collected]) => [source, textOf(collected)])),
    errors: textOf(errors!.map(tellError)),
  }
  const leaks = Object.entries(sources).flatMap(([source, text]) =>
    Object.entries(secrets).flatMap(([name, secret]) => (text.includes(secret) ? [`${source}: ${name}`] : [])),
  )
  expect(leaks).toEqual(ALLOWED)

  // And there was something to tell, everywhere.
  const heard = (source: unknown[] = []) => [...new Set((source as [string][]).map(([name]) => name))].toSorted()
  expect(heard(told['events'])).toEqual(NAMES.toSorted())
  expect(told['channels']).toEqual(told['events'])
  expect(sources['debug']).toMatch(/headgate:park [^]*headgate:refuse /)
  expect(sources['metrics']).toContain('headgate.client.refusals')
  expect(sources['snapshot']).toContain('api.example')
  expect(sources['explain']).toContain('boundBy')
  expect(sources['save']).toContain('savedAtMs')
  expect(sources['engine']).toContain('windowUs')
  const codes = new Set(errors!.map((error) => (error as { code?: string }).code ?? (error as Error).name))
  expect([...codes].toSorted()).toEqual([
    'HEADGATE_BODY_NOT_KEPT',
    'HEADGATE_CLOSED',
    'HEADGATE_CONFIG',
    'HEADGATE_NEVER',
    'HEADGATE_PARKED',
    'HEADGATE_PROBING',
    'HEADGATE_QUEUE_FULL',
    'HEADGATE_WAIT_TOO_LONG',
    'TypeError',
  ])
})
