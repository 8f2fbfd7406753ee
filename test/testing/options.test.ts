import { expect, test } from 'vitest'
import { ConfigError } from '../../src/index.ts'
import {
  createUpstream,
  type UpstreamOptions,
  VirtualClock,
  type VirtualClockOptions,
} from '../../src/testing/index.ts'

const limit = { limit: 5, windowMs: 1_000 }

/** A misspelt option would make a test that proves nothing. */
test.each<[string, object]>([
  ['limit', { limit }],
  ['limits.limit', { limits: { limit: '5', windowMs: 1_000 } }],
  ['limits[0].kind', { limits: [{ ...limit, kind: 'sliding' }] }],
  ['limits.windowMs', { limits: { limit: 5 } }],
  ['latency', { latency: 100 }],
  ['latency.downMs', { latency: { downMs: '5' } }],
  ['faults', { faults: { status: 500 } }],
  ['faults[0].statsu', { faults: [{ statsu: 500 }] }],
  ['headers', { headers: 'gihub' }],
  ['retryAfter', { retryAfter: 'secs' }],
  ['otherClients[0].perMin', { otherClients: [{ perMin: 5 }] }],
  ['clock', { clock: Date }],
])('createUpstream refuses %s: %j', (option, options) => {
  const make = () => createUpstream(options as UpstreamOptions)
  expect(make).toThrow(ConfigError)
  expect(make).toThrow(expect.objectContaining({ faults: [expect.objectContaining({ option })] }))
})

test.each<[string, unknown]>([
  ['options', 5],
  ['start', { start: 5 }],
  ['startMs', { startMs: '5' }],
])('VirtualClock refuses %s', (option, options) => {
  const make = () => new VirtualClock(options as VirtualClockOptions)
  expect(make).toThrow(expect.objectContaining({ faults: [expect.objectContaining({ option })] }))
})
