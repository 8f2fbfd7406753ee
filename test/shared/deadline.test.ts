import { describe, expect, test } from 'vitest'
import { type Ended, withDeadline } from '../../src/shared/deadline.ts'
import { VirtualClock } from '../../src/testing/index.ts'

const deadlineMs = 250

function wait(work: (clock: VirtualClock) => Promise<string>, keepAlive = true) {
  const clock = new VirtualClock()
  const ends: [at: number, ended: Ended<string>][] = []
  withDeadline(clock, work(clock), { deadlineMs, keepAlive }, (ended) => ends.push([clock.now(), ended]))
  return { clock, ends }
}

const after = (ms: number) => (clock: VirtualClock) => clock.sleep(ms).then(() => 'answer')
const failure = new Error('down')

describe('a call', () => {
  test.each([
    { name: 'that is answered', work: after(249), ends: [[249, { value: 'answer' }]] },
    { name: 'that fails', work: () => Promise.reject(failure), ends: [[0, { error: failure }]] },
    { name: 'that is not', work: () => new Promise<string>(() => {}), ends: [[250, { timedOut: true }]] },
    { name: 'that is answered too late', work: after(251), ends: [[250, { timedOut: true }]] },
    {
      name: 'that fails too late',
      work: (clock: VirtualClock) => clock.sleep(251).then(() => Promise.reject(failure)),
      ends: [[250, { timedOut: true }]],
    },
  ])('$name ends once', async ({ work, ends }) => {
    const waiting = wait(work)
    await waiting.clock.advance(1_000)
    expect(waiting.ends).toEqual(ends)
    expect(waiting.clock.pendingTimers).toBe(0)
  })

  test.each([true, false])('keeps the process running where that is asked for: %s', (keepAlive) => {
    const { clock } = wait(() => new Promise(() => {}), keepAlive)
    expect(clock.keepAliveTimers).toBe(keepAlive ? 1 : 0)
  })
})

/** A clock whose timers fire when they are told to. */
function standing() {
  let now = 0
  const timers: { fire: () => void; delayMs: number }[] = []
  return {
    timers,
    fireAt: (instant: number): void => {
      now = instant
      timers.shift()!.fire()
    },
    clock: {
      now: () => now,
      wallNow: () => now,
      setTimer: (fire: () => void, delayMs: number) => timers[timers.push({ fire, delayMs }) - 1],
      clearTimer: (timer: unknown) => void timers.splice(timers.indexOf(timer as never), 1),
    },
  }
}

describe('a deadline', () => {
  const begin = () => {
    const { clock, timers, fireAt } = standing()
    const ends: unknown[] = []
    withDeadline(clock, new Promise(() => {}), { deadlineMs, keepAlive: true }, (ended) => ends.push(ended))
    return { timers, fireAt, ends }
  }

  test('that fires early is waited for', () => {
    const { timers, fireAt, ends } = begin()
    fireAt(249.5)
    expect([ends, timers.map(({ delayMs }) => delayMs)]).toEqual([[], [1]])
    fireAt(250.5)
    expect(ends).toEqual([{ timedOut: true }])
  })

  test('that fires late lets in first what came while the process stood still', () => {
    const { timers, fireAt, ends } = begin()
    fireAt(271)
    expect([ends, timers.map(({ delayMs }) => delayMs)]).toEqual([[], [20]])
    fireAt(291)
    expect(ends).toEqual([{ timedOut: true }])
  })

  test('that fires a little late does not', () => {
    const { fireAt, ends } = begin()
    fireAt(270)
    expect(ends).toEqual([{ timedOut: true }])
  })
})
