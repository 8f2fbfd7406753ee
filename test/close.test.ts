import { describe, expect, test } from 'vitest'
import { outcomeOf, setUp, url } from './fetch/support.ts'

const one = { limits: { limit: 1, windowMs: 60_000 } }

describe('close', () => {
  const setUpQueue = async () => {
    const set = setUp({ limits: { limit: 1, windowMs: 1_000 } })
    const outcomes: unknown[] = []
    for (let call = 0; call < 4; call++) {
      void outcomeOf(set.headgate.fetch(url)).then((outcome) => outcomes.push(outcome))
    }
    await set.clock.advance(0)
    return { ...set, outcomes }
  }

  test('refuses those that wait and those that come', async () => {
    const { headgate, outcomes, run, clock } = await setUpQueue()
    await headgate.close()
    await clock.advance(0)
    expect(outcomes).toEqual([200, 'closed', 'closed', 'closed'])
    const refused = { reason: 'closed', host: 'api.example', port: 443 }
    await expect(run(headgate.fetch(url))).rejects.toMatchObject(refused)
    await expect(run(headgate.fetch('https://new.example/'))).rejects.toMatchObject({ reason: 'closed' })
    await expect(run(headgate.fetch(url, { headgate: { refuseWith: 'response' } }))).rejects.toMatchObject(refused)
    expect(clock.pendingTimers).toBe(0)
  })

  test('with drainMs those that wait go first, for so long', async () => {
    const { headgate, outcomes, clock, sentAt } = await setUpQueue()
    const closing = headgate.close({ drainMs: 2_500 })
    await expect(headgate.fetch(url)).rejects.toMatchObject({ reason: 'closed' })
    await clock.runUntil(closing)
    expect([clock.now(), outcomes, sentAt()]).toEqual([2_500, [200, 200, 200, 'closed'], [0, 1_000, 2_000]])
  })

  test('resolves as soon as nobody waits', async () => {
    const { headgate, outcomes, clock } = await setUpQueue()
    await clock.runUntil(headgate.close({ drainMs: 60_000 }))
    expect([clock.now(), outcomes]).toEqual([3_000, [200, 200, 200, 200]])
  })

  test('may be called again, to cut the draining short', async () => {
    const { headgate, outcomes, clock } = await setUpQueue()
    const draining = headgate.close({ drainMs: 60_000 })
    await headgate.close()
    await clock.runUntil(draining)
    expect([clock.now(), outcomes]).toEqual([0, [200, 'closed', 'closed', 'closed']])
  })

  test('at the end of a block', async () => {
    const set = setUp(one)
    {
      await using headgate = set.headgate
      await set.run(headgate.fetch(url))
    }
    await expect(set.headgate.fetch(url)).rejects.toMatchObject({ reason: 'closed' })
  })

  test('what stays out of it still goes, and what is in flight ends', async () => {
    const { headgate, run, at } = setUp({ concurrency: 1 }, { latency: { downMs: 100 } })
    at(50, () => void headgate.close())
    const response = await run(headgate.fetch(url))
    expect(await response.text()).toBe('ok')
    expect((await run(headgate.fetch(url, { headgate: false }))).status).toBe(200)
  })
})

test.each([
  ['options', 5_000],
  ['drain', { drain: 5_000 }],
  ['drainMs', { drainMs: '5' }],
])('close refuses %s', async (option, options) => {
  const { headgate } = setUp()
  await expect(headgate.close(options as never)).rejects.toMatchObject({ faults: [{ option }] })
  await expect(headgate.gate(url)!.close(options as never)).rejects.toMatchObject({ faults: [{ option }] })
})
