import { describe, expect, test } from 'vitest'
import { RateLimitError } from '../../src/gate/index.ts'
import { exchange, follow, limitOf, refusal, setUpGate, settled, takeAll, windowMs } from '../support/set-up-gate.ts'

describe('an aborted caller', () => {
  test('gets the reason of its signal, before, while and after it waits', async () => {
    const { gate } = setUpGate(limitOf(1))
    const reason = new Error('changed my mind')
    expect(await refusal(gate, { signal: AbortSignal.abort(reason) })).toBe(reason)
    expect(gate.snapshot().held).toBe(0)
    const abort = new AbortController()
    const granted = follow(gate.acquire({ signal: abort.signal }))
    const waiting = follow(gate.acquire({ signal: abort.signal }))
    abort.abort(reason)
    await settled()
    expect([granted.state, waiting.error, gate.snapshot().queued]).toEqual(['granted', reason, 0])
  })

  test('at the head lets the next one go that fits', async () => {
    const { gate } = setUpGate(limitOf(3))
    exchange(gate)
    const abort = new AbortController()
    const heavy = follow(gate.acquire({ weight: 3, signal: abort.signal }))
    const light = follow(gate.acquire())
    abort.abort()
    await settled()
    expect([heavy.state, light.state]).toEqual(['refused', 'granted'])
  })
})

describe('run', () => {
  test('settles and releases when the task is done', async () => {
    const { clock, gate } = setUpGate({ limits: { limit: 1, windowMs }, concurrency: 1 })
    const result = gate.run(async ({ sentAt }) => {
      await clock.sleep(100)
      return sentAt
    })
    await clock.advance(100)
    expect([await result, gate.snapshot()]).toMatchObject([0, { held: 0, inFlight: 0 }])
    const next = follow(gate.acquire())
    await clock.advance(windowMs)
    expect(next.permit?.sentAt).toBe(100 + windowMs)
  })

  test.each([
    [
      'throws',
      () => {
        throw new Error('broken')
      },
    ],
    ['rejects', () => Promise.reject(new Error('broken'))],
  ])('releases when the task %s, as if no headers had arrived', async (_, task) => {
    const { clock, gate } = setUpGate({ limits: { limit: 1, windowMs }, concurrency: 1 })
    await expect(gate.run(task)).rejects.toThrow('broken')
    expect(gate.snapshot()).toMatchObject({ held: 0, inFlight: 0 })
    const next = follow(gate.acquire())
    await clock.advance(2 * windowMs)
    expect(next.permit?.sentAt).toBe(1_000 + windowMs)
  })

  test('does not begin the task of a caller that is refused', async () => {
    const { gate } = setUpGate(limitOf(1))
    let begun = false
    await expect(gate.run(() => (begun = true), { weight: 2 })).rejects.toThrow(RateLimitError)
    expect(begun).toBe(false)
  })
})

describe('close', () => {
  test('refuses who waits and who comes, and takes no permit back', async () => {
    const { gate } = setUpGate(limitOf(1))
    const [held] = takeAll(gate)
    const waiters = [follow(gate.acquire()), follow(gate.acquire())]
    await gate.close()
    await settled()
    expect(waiters.map(({ error }) => (error as RateLimitError).reason)).toEqual(['closed', 'closed'])
    expect([held!.ended, gate.tryAcquire(), await refusal(gate, {})]).toEqual([false, undefined, ['closed', undefined]])
  })

  test('with drainMs lets those go first who can, and refuses the others then', async () => {
    const { clock, gate } = setUpGate({ limits: { limit: 1, windowMs: 1_000 }, transitMs: 0 })
    exchange(gate)
    const waiters = [1, 2, 3].map(() => follow(gate.acquire()))
    let closed = false
    const closing = gate.close({ drainMs: 2_500 }).then(() => (closed = true))
    expect(await refusal(gate, {})).toEqual(['closed', undefined])
    await clock.advance(2_499)
    expect([waiters.map(({ state }) => state), closed]).toEqual([['granted', 'granted', 'waiting'], false])
    await clock.advance(1)
    await closing
    expect([waiters[2]!.state, clock.pendingTimers]).toEqual(['refused', 0])
  })

  test('is over as soon as nobody waits', async () => {
    const { clock, gate } = setUpGate({ concurrency: 1 })
    const [held] = takeAll(gate)
    const waiter = follow(gate.acquire())
    const closing = gate.close({ drainMs: 1e9 })
    held!.release()
    await closing
    expect([waiter.state, clock.now(), clock.pendingTimers]).toEqual(['granted', 0, 0])
  })

  test('may be called again, and sooner then', async () => {
    const { gate } = setUpGate(limitOf(1))
    exchange(gate)
    const waiter = follow(gate.acquire())
    const slowly = gate.close({ drainMs: 1e9 })
    await Promise.all([gate.close(), slowly])
    expect(waiter.state).toBe('refused')
  })
})
