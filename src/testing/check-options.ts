import * as check from '../gate/check.ts'
import { checkClock } from '../gate/options.ts'
import { presets } from './headers.ts'

const number = check.expecting('a number', (value) => typeof value === 'number')
const record = check.recordOf(check.expecting('a string', (value) => typeof value === 'string'))

/** Whether an option is a function, which takes the place of any other value. */
const orFunction = (expected: check.Check): check.Check =>
  check.orElse((value) => typeof value === 'function', 'a function', expected)

const latency = orFunction((value, path) =>
  typeof value === 'object'
    ? check.options({ medianMs: number, sigma: number, minMs: number, maxMs: number })(value, path)
    : number(value, path),
)

const oneOrList =
  (one: check.Check): check.Check =>
  (value, path) =>
    (Array.isArray(value) ? check.list(one) : one)(value, path)

const limits = oneOrList(
  check.options(
    {
      kind: check.choice('rolling', 'fixed', 'token-bucket'),
      limit: number,
      windowMs: number,
      anchorMs: number,
      countRefused: check.boolean,
      name: check.string,
      unit: check.string,
    },
    ['limit', 'windowMs'],
  ),
)

const faults = orFunction(
  check.list(
    check.options({
      status: number,
      headers: record,
      body: check.string,
      error: check.choice('refused', 'reset'),
      hang: check.boolean,
      delayMs: number,
      counted: check.boolean,
      rateHeaders: check.boolean,
      index: number,
      first: number,
      fromMs: number,
      toMs: number,
    }),
  ),
)

const otherClients = check.list(
  check.options({
    startMs: number,
    untilMs: number,
    weight: number,
    perMinute: number,
    poisson: check.boolean,
    burst: number,
    everyMs: number,
  }),
)

/** What `createUpstream` takes: a misspelt option would make a test that proves nothing. */
export const checkUpstream = check.options({
  clock: checkClock,
  limits,
  countRefused: check.boolean,
  headers: orFunction(check.choice(...Object.keys(presets))),
  retryAfter: orFunction((value, path) =>
    (typeof value === 'number' ? number : check.choice('none', 'seconds', 'date'))(value, path),
  ),
  date: check.boolean,
  wallSkewMs: number,
  latency: check.options({ upMs: latency, downMs: latency }),
  maxUpMs: number,
  bodyMs: latency,
  weightOf: check.aFunction,
  status: orFunction(number),
  throttledStatus: number,
  body: orFunction(check.string),
  otherClients,
  faults,
  seed: number,
  random: check.aFunction,
  log: check.boolean,
})

export const checkVirtualClock = check.options({ startMs: number, wallStartMs: number, seed: number })
