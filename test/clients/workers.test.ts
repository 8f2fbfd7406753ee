import { describe, expect, test } from 'vitest'
import { type Headgate, isRateLimitError, type UpstreamConfig } from '../../src/index.ts'
import type { UpstreamOptions } from '../../src/testing/index.ts'
import { delaying } from './recipes/bullmq.ts'
import { fetchForJob } from './recipes/jobs.ts'
import { workOff } from './recipes/sqs.ts'
import { DelayedError, type Job } from './stand-ins/bullmq.ts'
import { DeleteMessageCommand, type SQSClient } from './stand-ins/client-sqs.ts'
import { errorOf, headgateFor, listen, LONG_LIMIT, useUp } from './support.ts'

const throttled: UpstreamOptions = { faults: [{ status: 429, headers: { 'retry-after': '30' } }] }

async function setUp(options: UpstreamOptions, pacing: UpstreamConfig = {}) {
  const { upstream, url } = await listen(options)
  return { upstream, url, headgate: headgateFor(pacing) }
}

/** How a job ends: refused because there is no room, or throttled by the upstream itself. */
const refusals = [
  { because: 'no room', options: {}, exhaust: useUp, seconds: [50, 70] },
  { because: 'a 429 of its own', options: throttled, exhaust: () => undefined, seconds: [25, 30] },
  {
    because: 'a park',
    options: throttled,
    exhaust: async (headgate: Headgate, url: string) => void (await errorOf(fetchForJob(headgate, url))),
    seconds: [25, 30],
  },
] as const

describe('fetch for a job', () => {
  test('gives a response that was not throttled, and its own failure', async () => {
    const { url, headgate } = await setUp({ faults: [{ first: 1, status: 500 }] })
    const statuses = [(await fetchForJob(headgate, url)).status, (await fetchForJob(headgate, url)).status]
    expect(statuses).toEqual([500, 200])
  })

  test('a short wait is waited for', async () => {
    const { url, headgate } = await setUp({}, { limits: { limit: 1, windowMs: 300 } })
    const responses = await Promise.all([1, 2, 3].map(() => fetchForJob(headgate, url)))
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
  })

  test.each(refusals)('$because: rejects with when to come back', async ({ options, exhaust, seconds: [from, to] }) => {
    const { url, headgate } = await setUp(options, { limits: LONG_LIMIT })
    await exhaust(headgate, url)
    const error = await errorOf(fetchForJob(headgate, url))
    expect(error).toSatisfy(isRateLimitError)
    const { retryAfterMs = 0 } = error as { retryAfterMs?: number }
    expect(retryAfterMs).toBeGreaterThan(from * 1_000)
    expect(retryAfterMs).toBeLessThanOrEqual(to * 1_000)
  })
})

// The job, the client and the errors are stand-ins in the shape of the packages' own: what the recipes do with them is what is tested.
describe('BullMQ', () => {
  /** A job that notes to when it was delayed. */
  function jobOf<Data>(data: Data) {
    const delays: { timestamp: number; token: string | undefined }[] = []
    const job: Job<Data> = {
      data,
      moveToDelayed: (timestamp, token) => Promise.resolve(void delays.push({ timestamp, token })),
    }
    return { job, delays }
  }

  const processing = (headgate: Headgate) =>
    delaying(async ({ data }: Job<string>) => {
      const response = await fetchForJob(headgate, data)
      if (!response.ok) throw new Error(`failed: ${response.status}`)
      return response.text()
    })

  test.each(refusals)('$because: the job is delayed', async ({ options, exhaust, seconds: [from, to] }) => {
    const { url, headgate } = await setUp(options, { limits: LONG_LIMIT })
    await exhaust(headgate, url)
    const { job, delays } = jobOf(url)
    const startedAt = Date.now()
    expect(await errorOf(processing(headgate)(job, 'lock'))).toBeInstanceOf(DelayedError)
    expect(delays).toMatchObject([{ token: 'lock' }])
    expect(delays[0]!.timestamp).toBeGreaterThan(startedAt + from * 1_000)
    expect(delays[0]!.timestamp).toBeLessThan(Date.now() + to * 1_000 + 1)
  })

  test('a job that works or fails otherwise is left alone', async () => {
    const { url, headgate } = await setUp({ faults: [{ first: 1, status: 404 }] })
    const { job, delays } = jobOf(url)
    expect(await errorOf(processing(headgate)(job))).toMatchObject({ message: 'failed: 404' })
    expect(await processing(headgate)(job)).toBe('ok')
    expect(delays).toEqual([])
  })
})

describe('SQS', () => {
  const message = { ReceiptHandle: 'handle', Body: 'a thing' }

  /** A client that notes what it was sent. */
  function client() {
    const sent: Parameters<SQSClient['send']>[0][] = []
    const sqs: SQSClient = { send: (command) => Promise.resolve(sent.push(command)) }
    return { sqs, sent }
  }

  const working = (headgate: Headgate, url: string) => async () => {
    const response = await fetchForJob(headgate, url)
    if (!response.ok) throw new Error(`failed: ${response.status}`)
  }

  test.each(refusals)(
    '$because: the message is hidden that long',
    async ({ options, exhaust, seconds: [from, to] }) => {
      const { url, headgate } = await setUp(options, { limits: LONG_LIMIT })
      await exhaust(headgate, url)
      const { sqs, sent } = client()
      await workOff(sqs, 'queue', message, working(headgate, url))
      expect(sent).toMatchObject([{ input: { QueueUrl: 'queue', ReceiptHandle: 'handle' } }])
      const { VisibilityTimeout = 0 } = sent[0]!.input as { VisibilityTimeout?: number }
      expect(VisibilityTimeout).toBeGreaterThan(from)
      expect(VisibilityTimeout).toBeLessThanOrEqual(to + 1)
    },
  )

  test('no longer than SQS allows', async () => {
    const { url, headgate } = await setUp({}, { limits: { limit: 1, windowMs: 86_400_000 } })
    useUp(headgate, url)
    const { sqs, sent } = client()
    await workOff(sqs, 'queue', message, working(headgate, url))
    expect(sent).toMatchObject([{ input: { VisibilityTimeout: 43_200 } }])
  })

  test('a message that is worked off is deleted, and one that fails otherwise is left to the queue', async () => {
    const { url, headgate } = await setUp({ faults: [{ first: 1, status: 404 }] })
    const { sqs, sent } = client()
    expect(await errorOf(workOff(sqs, 'queue', message, working(headgate, url)))).toMatchObject({
      message: 'failed: 404',
    })
    expect(sent).toEqual([])
    await workOff(sqs, 'queue', message, working(headgate, url))
    expect(sent).toEqual([expect.any(DeleteMessageCommand)])
  })
})
