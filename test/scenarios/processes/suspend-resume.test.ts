import { expect, test } from 'vitest'
import { wait } from '../../fleet/wait.ts'
import { SLOWNESS } from '../slowness.ts'
import { peakOf, play } from './play.ts'

// A laptop was put to sleep while an app waited out a limit, and woken when the wait was long over. The app showed no seconds left
// for ever and never went on.

const limits = { limit: 2, windowMs: 1_000 }

test('cyd-155: a park that ran out in sleep ends at once, with one probe and then the usual rate', async () => {
  const { arrivals, outcomes, doneMs } = await play({
    upstream: { faults: [{ index: 0, status: 429, headers: { 'retry-after': '3' } }, { delayMs: 100 }] },
    processes: [
      {
        calls: [
          { atMs: 0, count: 1 },
          { atMs: 100, count: 10 },
        ],
        config: { default: { limits } },
      },
    ],
    meanwhile: async ([caller]) => {
      await wait(500)
      caller!.signal('SIGSTOP')
      await wait(5_500)
      caller!.signal('SIGCONT')
    },
  })
  const [first, probe, next] = arrivals.map(({ atMs }) => atMs)
  expect(first).toBeLessThan(500)
  expect(probe).toBeGreaterThanOrEqual(6_000)
  expect(probe).toBeLessThanOrEqual(6_000 + 500 * SLOWNESS)
  expect(next! - probe!).toBeGreaterThanOrEqual(100)
  expect(peakOf(arrivals.slice(1), limits)).toBe(2)
  expect(outcomes[0]).toEqual(Array(11).fill(200))
  expect(doneMs).toBeLessThanOrEqual(6_000 + 6_500 * SLOWNESS)
})
