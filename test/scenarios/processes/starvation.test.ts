import { describe, expect, test } from 'vitest'
import { needingServer, serverProgram } from '../../support/redis-server.ts'
import { useServer } from '../../support/use-server.ts'
import { PATIENCE_MS, type Played, playInTime, type ProcessSettings } from './play.ts'

// All who waited for one bucket were told the same time to come back, and raced for it. Some lost again and again, until they timed out.

const limit = { limit: 5, windowMs: 1_000 }

describe.skipIf(serverProgram === undefined)(needingServer('two processes that wait for one budget'), () => {
  const used = useServer()

  test(
    'sidekiq-5315: each gets 2 or 3 of every 5, and no call waits long',
    { timeout: PATIENCE_MS },
    async ({ skip }) => {
      const settings: ProcessSettings = {
        calls: [{ atMs: 0, count: 20 }],
        config: { default: { limits: limit } },
        shared: { port: used.server.port },
      }
      const scene = { upstream: { limits: limit }, processes: [settings, settings] }
      const isKept = (played: Played): boolean => areFair(partsOf(played))
      const played = await playInTime(scene, { limit, doneByMs: 8_500, isKept, skip })
      expect(played.upstream).toMatchObject({ requests: 40, throttled: 0 })
      expect(played.outcomes.flat()).toEqual(Array(40).fill(200))
      expect(Math.max(...played.arrivals.map(({ atMs }) => atMs))).toBeLessThanOrEqual(8_500)
      expect(partsOf(played)).toSatisfy(areFair)
    },
  )
})

/** How many of every five arrivals came from the first process. */
function partsOf({ arrivals }: Played): number[] {
  const rounds = Array.from({ length: arrivals.length / 5 }, (_, round) => arrivals.slice(5 * round, 5 * round + 5))
  return rounds.map((round) => round.filter(({ process }) => process === 0).length)
}

function areFair(parts: readonly number[]): boolean {
  return parts.every((part) => part === 2 || part === 3)
}
