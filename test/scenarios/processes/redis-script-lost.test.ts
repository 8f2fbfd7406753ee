import { describe, expect, test } from 'vitest'
import { SCRIPT } from '../../../src/shared/script/script.ts'
import { wait } from '../../fleet/wait.ts'
import { needingServer, serverProgram } from '../../support/redis-server.ts'
import { useServer } from '../../support/use-server.ts'
import { PATIENCE_MS, peakOf, playInTime, type ProcessSettings } from './play.ts'

// The store was started anew under a limiter that had loaded its scripts when the program began. From then on every call failed
// with NOSCRIPT, and nothing but another start of the program helped.

const limit = { limit: 10, windowMs: 1_000 }

describe.skipIf(serverProgram === undefined)(needingServer('a store that forgets its scripts'), () => {
  const used = useServer()

  test(
    'bottleneck-118: is given them again, at the price of one call each time',
    { timeout: PATIENCE_MS },
    async ({ skip }) => {
      const settings: ProcessSettings = {
        calls: [{ atMs: 0, count: 25 }],
        config: { default: { limits: limit } },
        shared: { port: used.server.port },
      }
      const flushTwice = async (): Promise<void> => {
        await wait(500)
        await used.client.script('FLUSH')
        await wait(1_000)
        await used.client.script('FLUSH')
      }
      await used.client.script('LOAD', SCRIPT)
      const { arrivals, outcomes, reports, doneMs } = await playInTime(
        { upstream: {}, processes: [settings, settings], meanwhile: flushTwice },
        { limit, doneByMs: 5_500, skip },
      )
      expect(outcomes.flat()).toEqual(Array(50).fill(200))
      expect(peakOf(arrivals, limit)).toBeLessThanOrEqual(10)
      expect(doneMs).toBeLessThanOrEqual(5_500)
      const extra = reports.map(({ unknownScripts }) => unknownScripts)
      expect(extra[0]! + extra[1]!).toBeGreaterThanOrEqual(2)
      expect(Math.max(...extra)).toBeLessThanOrEqual(2)
    },
  )
})
