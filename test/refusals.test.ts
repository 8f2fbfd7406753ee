import { describe, expect, test } from 'vitest'
import { isRateLimitError, RateLimitError, type UpstreamConfig } from '../src/index.ts'
import { refusalResponse } from '../src/refusal.ts'
import { firstly, outcomeOf, setUp, url } from './fetch/support.ts'

const one = { limits: { limit: 1, windowMs: 60_000 } }
const parked = firstly({ status: 429, headers: { 'retry-after': '30' } })

describe('refusals', () => {
  type Row = [reason: string, pacing: UpstreamConfig, options: object, retryAfterMs: number | undefined]
  const rows: Row[] = [
    ['wait-too-long', { ...one, maxWaitMs: 59_999 }, {}, 60_000],
    ['queue-full', { ...one, maxQueueSize: 0 }, {}, 60_000],
    ['parked', { whenParked: 'refuse' }, parked, 30_000],
    ['never', { limits: { limit: 0.5, windowMs: 1_000 } }, {}, undefined],
  ]

  /** The first call is answered, the second refused at 300. */
  async function refuse([, pacing, options]: Row, more: UpstreamConfig = {}) {
    const { headgate, run, clock, upstream } = setUp({ retry: false, ...pacing, ...more }, options)
    await run(outcomeOf(headgate.fetch(url)))
    const sent = upstream.log.length
    const call = headgate.fetch(url)
    const outcome: unknown = await run(call.catch((error: unknown) => error))
    expect([upstream.log.length, clock.now()]).toEqual([sent, 0])
    return outcome
  }

  test.each(rows)('%s', async (...row) => {
    const [reason, , , retryAfterMs] = row
    const error = await refuse(row)
    expect(isRateLimitError(error)).toBe(true)
    expect(error).toMatchObject({
      name: 'RateLimitError',
      code: `HEADGATE_${reason.toUpperCase().replaceAll('-', '_')}`,
      reason,
      host: 'api.example',
      port: 443,
      partition: 'p1',
    })
    expect((error as RateLimitError).retryAfterMs).toBe(retryAfterMs)
    expect((error as Error).message).not.toContain('page=2')
  })

  test('never as a response is an error all the same: there is no time to wait', async () => {
    expect(await refuse(rows.at(-1)!, { refuseWith: 'response' })).toBeInstanceOf(RateLimitError)
  })

  test.each(rows.slice(0, -1))('%s as a response: 503 and the seconds to wait', async (...row) => {
    const [, , , retryAfterMs] = row
    const response = (await refuse(row, { refuseWith: 'response' })) as Response
    expect([response?.status, response?.headers.get('retry-after')]).toEqual([503, String(retryAfterMs! / 1_000)])
    expect(await response.text()).toMatch(/^Not sent for api\.example:443: /)
  })

  test.each([
    [0, '60'],
    [1, '60'],
    [999, '60'],
    [1_000, '59'],
    [59_999, '1'],
  ])('after %d of 60 000 ms the response says %s s: rounded up', async (elapsed, seconds) => {
    const { headgate, run, clock } = setUp({ ...one, maxWaitMs: 0, refuseWith: 'response' })
    await run(headgate.fetch(url))
    await clock.advance(elapsed)
    expect((await run(headgate.fetch(url))).headers.get('retry-after')).toBe(seconds)
  })

  test.each([
    [0, '1'],
    [0.5, '1'],
    [1_000, '1'],
    [1_000.5, '2'],
  ])('%d ms are %s s in a response, never 0, which invites to try at once', (retryAfterMs, seconds) => {
    const response = refusalResponse(new RateLimitError('queue-full', { retryAfterMs }))
    expect([response?.status, response?.headers.get('retry-after')]).toEqual([503, seconds])
  })

  test('probing: one finds out, and others are refused with a second to wait', async () => {
    const { headgate, run, clock } = setUp(
      { whenParked: 'refuse', retry: false },
      { ...parked, latency: { downMs: 500 } },
    )
    await run(outcomeOf(headgate.fetch(url)))
    await clock.advance(30_000)
    const probe = headgate.fetch(url)
    await clock.advance(100)
    await expect(run(headgate.fetch(url))).rejects.toMatchObject({ reason: 'probing', retryAfterMs: 1_000 })
    expect((await run(probe)).status).toBe(200)
    expect((await run(headgate.fetch(url))).status).toBe(200)
  })
})
