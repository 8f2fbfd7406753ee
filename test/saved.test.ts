import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { ConfigError, createHeadgate, HeadgateError, type SavedState } from '../src/index.ts'
import { createUpstream, VirtualClock } from '../src/testing/index.ts'
import { firstly, setUp, url } from './fetch/support.ts'
import { otherProcess, stored } from './support/other-process.ts'

const five = { limits: { limit: 5, windowMs: 60_000 }, transitMs: 0 }

/** A headgate over the same upstream, in another process. */
function successorOf({ clock, upstream }: Pick<ReturnType<typeof setUp>, 'clock' | 'upstream'>, pacing = five) {
  return createHeadgate({
    clock: otherProcess(clock),
    fetch: upstream.fetch,
    default: { coldStartMs: 0, ...pacing },
  })
}

test('what one process has spent of a window, the next does not spend again', async () => {
  const first = setUp(five, { limits: { limit: 5, windowMs: 60_000 } })
  for (let sent = 0; sent < 3; sent++) await first.run(first.headgate.fetch(url))
  await first.clock.advance(20_000)
  const saved = stored(first.headgate.save())
  await first.clock.advance(10_000)
  const next = successorOf(first)
  next.restore(saved)
  await first.run(Promise.all(Array.from({ length: 9 }, () => next.fetch(url))))
  expect(first.sentAt()).toEqual([0, 0, 0, 30_000, 30_000, 60_000, 60_000, 60_000, 90_000, 90_000, 120_000, 120_000])
  expect(first.upstream.report()).toMatchObject({ throttled: 0, busiestWindow: 5 })
})

test('gates that are there already go on from it too', async () => {
  const first = setUp(five)
  for (let sent = 0; sent < 3; sent++) await first.run(first.headgate.fetch(url))
  const next = successorOf(first)
  await next.fetch(url)
  next.restore(stored(first.headgate.save()))
  expect(next.explain(url, { weight: 2 })).toMatchObject({ wouldWaitMs: 60_000, boundBy: 'limit' })
})

test('a park goes on', async () => {
  const first = setUp({ retry: false }, firstly({ status: 429, headers: { 'retry-after': '30' } }))
  await first.run(first.headgate.fetch(url))
  const saved = stored(first.headgate.save())
  await first.clock.advance(10_000)
  const next = successorOf(first)
  next.restore(saved)
  await first.run(next.fetch(url))
  expect(first.sentAt()).toEqual([0, 30_000])
})

test('each partition has what it had spent', async () => {
  const first = setUp(five)
  await first.run(first.headgate.fetch(url, { headgate: { partition: 'a', weight: 4 } }))
  await first.run(first.headgate.fetch(url, { headgate: { partition: 'b', weight: 2 } }))
  const next = successorOf(first)
  next.restore(stored(first.headgate.save()))
  const held = (partition: string) => next.gate(url, partition)?.snapshot().limits[0]?.held
  expect(['a', 'b', 'c'].map(held)).toEqual([4, 2, 0])
})

test('what nobody has asked for yet is saved again, for as long as a window', async () => {
  const first = setUp(five)
  await first.run(first.headgate.fetch(url, { headgate: { weight: 4 } }))
  const saved = first.headgate.save()
  const next = successorOf(first)
  next.restore(stored(saved))
  await first.clock.advance(1_000)
  expect(next.save()).toEqual(saved)
  const last = successorOf(first)
  last.restore(stored(next.save()))
  expect(last.gate(url)?.snapshot().limits[0]?.held).toBe(4)
  await first.clock.advance(58_999)
  expect(next.save()).toEqual(saved)
  await first.clock.advance(1)
  expect(next.save().gates).toEqual({})
})

test('what was used once is not kept beyond its gate', async () => {
  const first = setUp(five)
  await first.run(first.headgate.fetch(url))
  const next = successorOf(first)
  next.restore(stored(first.headgate.save()))
  next.gate(url)
  await first.clock.advance(1_200_000)
  expect(next.save().gates).toEqual({})
})

test('gates that are idle are not saved, and no more than there may be', async () => {
  const first = setUp({ limits: { limit: 5, windowMs: 1_000 } }, {}, { maxGates: 3 })
  const call = (partition: string) => first.run(first.headgate.fetch(url, { headgate: { partition } }))
  for (const partition of ['a', 'b', 'c']) await call(partition)
  const saved = first.headgate.save()
  expect(Object.keys(saved.gates)).toHaveLength(3)
  await first.clock.advance(3_000)
  expect(Object.keys(first.headgate.save().gates)).toHaveLength(0)
  const next = setUp({ limits: { limit: 5, windowMs: 1_000 } }, {}, { maxGates: 3 })
  next.headgate.restore(saved)
  await next.run(next.headgate.fetch(url, { headgate: { partition: 'd' } }))
  expect(Object.keys(next.headgate.save().gates)).toHaveLength(3)
})

test('what is restored later takes the place of what is not used yet', async () => {
  const first = setUp(five)
  await first.run(first.headgate.fetch(url, { headgate: { weight: 4 } }))
  const next = successorOf(first)
  next.restore(stored(first.headgate.save()))
  next.restore({ ...first.headgate.save(), gates: {} })
  expect(next.gate(url)?.snapshot().limits[0]?.held).toBe(0)
})

test.each([
  ['set back', -3_600_000, 4],
  ['set forward', 3_600_000, 0],
])('a wall clock %s', async (_, jumpMs, held) => {
  const clock = new VirtualClock()
  const upstream = createUpstream({ clock, headers: 'none' })
  const headgate = createHeadgate({ clock, fetch: upstream.fetch, default: { ...five } })
  await clock.runUntil(headgate.fetch(url, { headgate: { weight: 4 } }))
  const later = new VirtualClock({ startMs: 5e8, wallStartMs: clock.wallNow() + jumpMs })
  const next = createHeadgate({ clock: later, fetch: upstream.fetch, default: { ...five } })
  next.restore(stored(headgate.save()))
  expect(next.gate(url)?.snapshot().limits[0]?.held).toBe(held)
})

test('two headgates that were saved apart have digests of their own', async () => {
  const one = setUp(five)
  const other = setUp(five)
  for (const { headgate, run } of [one, other]) await run(headgate.fetch(url))
  const digests = [one, other].map(({ headgate }) => Object.keys(headgate.save().gates))
  expect(digests[0]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)])
  expect(digests[0]).not.toEqual(digests[1])
  expect(Object.keys(one.headgate.save().gates)).toEqual(digests[0])
})

describe('what cannot be used', () => {
  test.each([
    ['saved', undefined],
    ['saved.version', { version: 2, salt: '', gates: {} }],
    ['saved.salt', { version: 1, gates: {} }],
    ["saved.gates['x'].savedAtMs", { version: 1, salt: '', gates: { x: { gate: { limits: [] } } } }],
    ["saved.gates['x'].gate.limits", { version: 1, salt: '', gates: { x: { savedAtMs: 1, gate: {} } } }],
  ])('is refused: %s', (option, saved) => {
    const headgate = createHeadgate()
    expect(() => headgate.restore(saved as SavedState)).toThrow(ConfigError)
    expect(() => headgate.restore(saved as SavedState)).toThrow(
      expect.objectContaining({ faults: [expect.objectContaining({ option })] }),
    )
  })

  test('is a runtime without node:crypto', () => {
    const headgate = createHeadgate()
    vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined)
    onTestFinished(() => void vi.restoreAllMocks())
    expect(() => headgate.restore({ version: 1, salt: '', gates: {} })).toThrow(HeadgateError)
    expect(() => headgate.save()).toThrow(HeadgateError)
    expect(() => headgate.save()).toThrow(expect.objectContaining({ code: 'HEADGATE_UNSUPPORTED' }))
  })
})
