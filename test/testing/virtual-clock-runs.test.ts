import { describe, expect, test, vi } from 'vitest'
import { chooseSchedule } from '../../src/testing/settle.ts'
import { keepAlive, setUpClock as setUp, VirtualClock } from './set-up-clock.ts'

describe('promise work', () => {
  test('settles between one firing and the next, ties included', async () => {
    const { clock } = setUp()
    const order: string[] = []
    const task = async (name: string) => {
      await clock.sleep(10)
      order.push(`${name} wakes`)
      for (let turn = 0; turn < 50; turn++) await Promise.resolve()
      order.push(`${name} done`)
    }
    void task('a')
    void task('b')
    await clock.advance(10)
    expect(order).toEqual(['a wakes', 'a done', 'b wakes', 'b done'])
  })

  test('a chain of sleeps falls within one advance', async () => {
    const { clock } = setUp()
    const atMs: number[] = []
    const task = async () => {
      for (const ms of [5, 10, 0, 20]) {
        await clock.sleep(ms)
        atMs.push(clock.now())
      }
    }
    void task()
    await clock.advance(34)
    expect(atMs).toEqual([5, 15, 15])
    await clock.advance(1)
    expect(atMs).toEqual([5, 15, 15, 35])
  })

  test('a Response is read to its end without time moving', async () => {
    const clock = new VirtualClock()
    const read = async () => {
      const response = new Response(
        new Blob(['x'.repeat(100_000)])
          .stream()
          .pipeThrough(new TextDecoderStream())
          .pipeThrough(new TextEncoderStream()),
      )
      const copy = response.clone()
      return (await response.text()).length + (await copy.arrayBuffer()).byteLength
    }
    expect(await clock.runUntil(read())).toBe(200_000)
    expect(clock.now()).toBe(0)
  })

  test("a test runner's fake timers do not hold the clock up", async () => {
    vi.useFakeTimers()
    try {
      const clock = new VirtualClock()
      await clock.runUntil(clock.sleep(10))
      expect(clock.now()).toBe(10)
    } finally {
      vi.useRealTimers()
    }
  })

  test.each([
    ['setImmediate', { setImmediate }],
    ['MessageChannel of a page', { MessageChannel, document: {} }],
    ['MessageChannel of a worker', { MessageChannel, importScripts: () => {} }],
    ['setTimeout', {}],
  ])('%s runs it in order', async (_, host) => {
    const ports: { close(): void }[] = []
    class Channel extends MessageChannel {
      constructor() {
        super()
        ports.push(this.port1)
      }
    }
    const schedule = chooseSchedule(
      ('MessageChannel' in host ? { ...host, MessageChannel: Channel } : host) as Parameters<typeof chooseSchedule>[0],
    )
    const order: string[] = []
    await new Promise<void>((resolve) => {
      schedule(() => order.push('first'))
      schedule(resolve)
      void Promise.resolve().then(() => order.push('microtask'))
    })
    expect(order).toEqual(['microtask', 'first'])
    for (const port of ports) port.close()
  })
})

test('elsewhere a channel is not trusted: its messages may come between microtasks', async () => {
  class Channel {
    readonly port1: { onmessage: (() => void) | null } = { onmessage: null }
    readonly port2 = { postMessage: () => queueMicrotask(() => this.port1.onmessage?.()) }
  }
  const schedule = chooseSchedule({ MessageChannel: Channel })
  let microtasks = 0
  const chain = async (): Promise<void> => {
    for (; microtasks < 50; microtasks++) await Promise.resolve()
  }
  void chain()
  await new Promise<void>((resolve) => schedule(resolve))
  expect(microtasks).toBe(50)
})

describe('runUntil', () => {
  test('returns the value, at the instant it is there', async () => {
    const { clock, set } = setUp()
    set('later', 1_000)
    expect(await clock.runUntil(clock.sleep(40).then(() => 'done'))).toBe('done')
    expect([clock.now(), clock.pendingTimers]).toEqual([40, 1])
  })

  test('throws what the promise rejects with', async () => {
    const clock = new VirtualClock()
    const error = new Error('mine')
    await expect(clock.runUntil(clock.sleep(40).then(() => Promise.reject(error)))).rejects.toBe(error)
  })

  test('takes a settled promise without firing anything', async () => {
    const { clock, fired, set } = setUp()
    set('a', 0)
    expect(await clock.runUntil(Promise.resolve(1))).toBe(1)
    expect(fired).toEqual([])
  })

  test('says so when nothing is left to wait for', async () => {
    const clock = new VirtualClock()
    const stuck = clock.sleep(25).then(() => new Promise(() => {}))
    await expect(clock.runUntil(stuck)).rejects.toThrow('still pending at 25 ms and no timer is left')
  })

  test('says so when maxMs have passed, and stands there', async () => {
    const { clock, fired, set } = setUp({ startMs: 100 })
    set('in time', 40)
    const slow = clock.sleep(51)
    await expect(clock.runUntil(slow, { maxMs: 50 })).rejects.toThrow(
      'still pending after maxMs = 50 of virtual time, at 150 ms with 1 timer left',
    )
    expect(clock.now()).toBe(150)
    expect(fired).toEqual([['in time', 140]])
    expect(await clock.runUntil(slow, { maxMs: 1 })).toBe(undefined)
  })

  test('a timer that re-arms for ever ends after a week', async () => {
    const clock = new VirtualClock()
    const again = (): unknown => clock.setTimer(again, 600_000, { keepAlive: false })
    again()
    await expect(clock.runUntil(new Promise(() => {}))).rejects.toThrow('maxMs = 604800000')
  })

  test('timers of 0 ms that set others for ever are found out', async () => {
    const clock = new VirtualClock()
    const again = (): unknown => clock.setTimer(again, 0, keepAlive)
    again()
    await expect(clock.runUntil(new Promise(() => {}))).rejects.toThrow('virtual time stands still at 0 ms')
  })

  test('many timers of 0 ms that one moment sets are no such chain, nor are many runs of one instant', async () => {
    const clock = new VirtualClock()
    await clock.runUntil(Promise.all(Array.from({ length: 100_001 }, () => clock.sleep(0))))
    for (let run = 0; run < 1_000; run++) await clock.runUntil(clock.sleep(0))
    expect(clock.now()).toBe(0)
  })

  test('runs may overlap', async () => {
    const { clock } = setUp()
    const [a, b] = await Promise.all([
      clock.runUntil(clock.sleep(30).then(() => clock.now())),
      clock.runUntil(clock.sleep(20).then(() => clock.now())),
      clock.advance(25),
    ])
    expect([a, b]).toEqual([30, 20])
  })
})

describe('runAll', () => {
  test('fires all, those set on the way included', async () => {
    const { clock, fired, set } = setUp()
    clock.setTimer(() => set('second', 10), 10, keepAlive)
    await clock.runAll()
    expect(fired).toEqual([['second', 20]])
    expect([clock.now(), clock.pendingTimers]).toEqual([20, 0])
  })

  test('says so when some are left at maxMs', async () => {
    const { clock, set } = setUp()
    set('due at the end', 10)
    set('too late', 11)
    await expect(clock.runAll({ maxMs: 10 })).rejects.toThrow('timers are still pending after maxMs = 10')
    expect([clock.now(), clock.pendingTimers]).toEqual([10, 1])
  })
})
