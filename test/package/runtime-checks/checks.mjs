// What must hold in every runtime. Imports nothing, so that it runs from any loader; what it checks is handed to it.

/** Runs the named checks one after the other, and tells what became of each. */
export async function runChecks(names, setting) {
  const results = []
  for (const name of names) results.push(await runCheck(name, setting))
  return results
}

/** Of the runtime that this runs in, where it says. */
export function version() {
  return globalThis.Bun?.version ?? globalThis.Deno?.version.deno ?? globalThis.process.versions.node
}

async function runCheck(name, setting) {
  try {
    await within(10_000, CHECKS[name](setting))
    return { name }
  } catch (error) {
    return { name, error: String(error?.stack ?? error) }
  }
}

const CHECKS = {
  entries,
  pace,
  retry,
  redirect,
  explain,
  events,
  channels,
  save,
  gate,
  close,
  clock,
  listen,
  undici,
  opentelemetry,
  object,
}

/** A class that two entries export is one class, or `instanceof` would fail between them. */
async function entries({ namespaces }) {
  const seen = new Map()
  for (const [name, value] of Object.values(namespaces).flatMap(Object.entries)) {
    assert(!seen.has(name) || seen.get(name) === value, `${name} differs between two entries`)
    seen.set(name, value)
  }
  for (const name of ['createHeadgate', 'Gate', 'systemClock', 'planFleet'])
    assert(seen.has(name), `${name} is exported`)
}

async function pace({ namespaces, server }) {
  const { url, at } = target(server)
  const headgate = create(namespaces, { limits: { limit: 3, windowMs: 300 }, coldStartMs: 0 })
  const responses = await Promise.all(Array.from({ length: 7 }, () => headgate.fetch(url)))
  for (const response of responses) equal(await response.text(), 'ok', 'body')
  const arrivals = await at()
  equal(arrivals.length, 7, 'requests that arrived')
  assert(busiest(arrivals, 300) <= 3, `no window of 300 ms holds more than 3 of ${arrivals}`)
  await headgate.close()
}

async function retry({ namespaces, server }) {
  const { url, at } = target(server, 'throttled')
  const headgate = create(namespaces)
  const response = await headgate.fetch(url)
  equal(response.status, 200, 'status')
  equal(headgate.inspect(response)?.attempts, 2, 'attempts')
  const [first = 0, second = 0] = await at()
  assert(second - first >= 1_000, `Retry-After: 1 was kept, after ${second - first} ms`)
  await headgate.close()
}

async function redirect({ namespaces, server, expected }) {
  const kinds = []
  const headgate = create(namespaces)
  headgate.on('headgate:attempt', ({ kind }) => kinds.push(kind))
  const response = await headgate.fetch(target(server, 'redirect').url)
  equal(await response.text(), 'landed', 'body')
  equal(response.redirected, true, 'redirected')
  equal(kinds.join(), expected.hops ? 'first,redirect' : 'first', 'attempts')
  await headgate.close()
}

async function explain({ namespaces, server }) {
  const { url } = target(server)
  const headgate = create(namespaces, { limits: { limit: 1, windowMs: 60_000 }, coldStartMs: 0 })
  equal(headgate.explain(url).boundBy, 'nothing', 'before the first call')
  await (await headgate.fetch(url)).text()
  const { boundBy, wouldWaitMs } = headgate.explain(url)
  equal(boundBy, 'limit', 'what binds the second call')
  assert(wouldWaitMs > 50_000 && wouldWaitMs <= 60_000, `it would wait ${wouldWaitMs} ms`)
  const { gates, attempts } = JSON.parse(JSON.stringify(headgate.snapshot()))
  equal(gates[0]?.state, 'open', 'state of the gate')
  equal(attempts[0]?.count, 1, 'attempts counted')
  await headgate.close()
}

/** In the order in which they happen. */
const TOLD = 'park,first throttled,probe,reopen,probe ok'

async function events({ namespaces, server }) {
  const told = []
  const headgate = create(namespaces)
  for (const name of ['park', 'probe', 'reopen']) headgate.on(`headgate:${name}`, () => told.push(name))
  headgate.on('headgate:attempt', ({ kind, outcome }) => told.push(`${kind} ${outcome}`))
  await (await headgate.fetch(target(server, 'throttled').url)).text()
  equal(told.join(), TOLD, 'events')
  await headgate.close()
}

/** The channels of the runtime, where it has some. */
async function channels({ namespaces, server }) {
  const { subscribe, unsubscribe } = globalThis.process.getBuiltinModule('node:diagnostics_channel')
  const messages = []
  const note = (message) => messages.push(message)
  subscribe('headgate:attempt', note)
  const headgate = create(namespaces)
  await (await headgate.fetch(target(server).url)).text()
  unsubscribe('headgate:attempt', note)
  equal(messages.map(({ outcome }) => outcome).join(), 'ok', 'messages')
  await headgate.close()
}

async function save({ namespaces, server, expected }) {
  const { url } = target(server)
  const pacing = { limits: { limit: 1, windowMs: 60_000 }, coldStartMs: 0 }
  const [last, next] = [create(namespaces, pacing), create(namespaces, pacing)]
  await (await last.fetch(url)).text()
  if (expected.crypto) {
    next.restore(JSON.parse(JSON.stringify(last.save())))
    equal(next.explain(url).boundBy, 'limit', 'what binds the next process')
  } else {
    equal(
      codeOf(() => last.save()),
      'HEADGATE_UNSUPPORTED',
      'code of save()',
    )
    equal(
      codeOf(() => next.restore({ version: 1, salt: '', gates: {} })),
      'HEADGATE_UNSUPPORTED',
      'code of restore()',
    )
  }
  await Promise.all([last.close(), next.close()])
}

/** Permits come back once the next window has begun. */
async function gate({ namespaces }) {
  const { Gate, systemClock } = namespaces.gate
  const lone = new Gate({ clock: systemClock, limits: { limit: 2, windowMs: 200 }, concurrency: 1 })
  const sent = []
  const startedAt = systemClock.now()
  await Promise.all([1, 2, 3].map((each) => lone.run(async () => void sent.push(each))))
  const tookMs = systemClock.now() - startedAt
  equal(sent.join(), '1,2,3', 'order')
  assert(tookMs >= 199, `the third waited for the window, ${tookMs} ms`)
}

async function close({ namespaces, server }) {
  const { url } = target(server)
  const headgate = create(namespaces, { limits: { limit: 1, windowMs: 60_000 }, coldStartMs: 0 })
  await (await headgate.fetch(url)).text()
  const waiting = headgate.fetch(url).catch(({ code }) => code)
  await headgate.close()
  equal(await waiting, 'HEADGATE_CLOSED', 'code of a call that waited')
  equal(await headgate.fetch(url).catch(({ code }) => code), 'HEADGATE_CLOSED', 'code of a call that comes later')
}

/** Minutes of virtual time. */
async function clock({ namespaces: { headgate, testing } }) {
  const virtual = new testing.VirtualClock()
  const limits = { limit: 10, windowMs: 60_000 }
  const upstream = testing.createUpstream({ clock: virtual, limits })
  const paced = headgate.createHeadgate({ clock: virtual, fetch: upstream.fetch, default: { limits } })
  const calls = Array.from({ length: 25 }, () => paced.fetch('https://example.com/'))
  const responses = await virtual.runUntil(Promise.all(calls))
  assert(
    responses.every(({ status }) => status === 200),
    'every call is answered',
  )
  equal(upstream.report().busiestWindow, 10, 'busiest window')
}

/** The upstream on a socket wants `node:http`, and says so where there is none. */
async function listen({ namespaces: { testing }, expected }) {
  const listening = testing.createUpstream().listen()
  if (expected.http) return (await listening).close()
  const message = await listening.then(
    () => 'it listens',
    (error) => String(error),
  )
  assert(message.includes('node:http'), `the error names node:http: ${message}`)
}

async function undici({ namespaces, peers, server }) {
  const { url, at } = target(server)
  const headgate = create(namespaces, { limits: { limit: 2, windowMs: 200 }, coldStartMs: 0 })
  const agent = new peers.undici.Agent()
  const dispatcher = agent.compose(namespaces.undici.headgateInterceptor(headgate))
  const calls = Array.from({ length: 5 }, () => peers.undici.request(url, { dispatcher }))
  for (const { body } of await Promise.all(calls)) equal(await body.text(), 'ok', 'body')
  const arrivals = await at()
  assert(busiest(arrivals, 200) <= 2, `no window of 200 ms holds more than 2 of ${arrivals}`)
  await headgate.close()
  await agent.close()
}

async function opentelemetry({ namespaces, peers, server }) {
  const { AggregationTemporality, InMemoryMetricExporter, MeterProvider, PeriodicExportingMetricReader } = peers.metrics
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const meterProvider = new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter })] })
  const headgate = create(namespaces)
  const stop = namespaces.opentelemetry.instrument(headgate, { meterProvider })
  await (await headgate.fetch(target(server).url)).text()
  await meterProvider.forceFlush()
  const metrics = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics))
  const attempts = metrics.find(({ descriptor }) => descriptor.name === 'headgate.client.attempts')
  equal(attempts?.dataPoints[0]?.value, 1, 'attempts recorded')
  stop()
  await meterProvider.shutdown()
  await headgate.close()
}

/** Requests that share the headgate of one Durable Object, at one each 300 ms. */
async function object({ server, share }) {
  const { url, at } = target(server)
  const bodies = await Promise.all(Array.from({ length: 4 }, () => share(url)))
  equal(bodies.join(), 'ok,ok,ok,ok', 'bodies')
  const arrivals = await at()
  assert(busiest(arrivals, 300) <= 1, `no window of 300 ms holds more than 1 of ${arrivals}`)
}

function create({ headgate }, pacing = {}) {
  return headgate.createHeadgate({ default: pacing })
}

let targets = 0

/** A URL of the server's, and when requests for it arrived there. */
function target(server, path = 'plain') {
  targets += 1
  const id = `${targets}-${Math.random()}`
  return {
    url: `${server}/${path}?id=${id}`,
    at: async () => (await fetch(`${server}/arrivals?id=${id}`)).json(),
  }
}

/** The most that any window of so many milliseconds holds. */
function busiest(arrivals, windowMs) {
  const counts = arrivals.map((from) => arrivals.filter((at) => at >= from && at < from + windowMs).length)
  return Math.max(0, ...counts)
}

function codeOf(act) {
  try {
    act()
    return 'none'
  } catch ({ code }) {
    return code
  }
}

async function within(ms, work) {
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done after ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

function equal(actual, expected, what) {
  assert(Object.is(actual, expected), `${what}: expected ${expected}, got ${actual}`)
}

function assert(holds, what) {
  if (!holds) throw new Error(what)
}
