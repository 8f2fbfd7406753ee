import { describe, expect, test } from 'vitest'
import { needingServer, serverProgram } from '../support/redis-server.ts'
import { canSkew } from './engine.ts'
import { LIMIT } from './messages.ts'
import { CONTROLS, FAULTS, NEARLY_FULL, SATURATED } from './rows.ts'
import { play, playQuietly, type Result, sum } from './scenario.ts'

const LEAST_SHARE = 0.95
/** With parts held back, and after a fault until all have told what they sent. */
const LEAST_SHARE_IN_FAULT = 0.5

const MOST_CALLS_PER_S = 50
const MOST_CALLS_PER_REQUEST = 1.5

describe.skipIf(serverProgram === undefined)(needingServer('six processes that share one budget'), () => {
  test(`saturated they use ${LEAST_SHARE} of the limit, for ${MOST_CALLS_PER_S} engine calls a second`, async () => {
    const isEnough = ({ servedPerS, faultsSeen }: Result): boolean =>
      servedPerS >= LEAST_SHARE * LIMIT.limit && sum(Object.values(faultsSeen)) === 0
    const result = await playQuietly(SATURATED, { isEnough })
    expect(result.overInTime).toBe(0)
    expect(result.faultsSeen).toEqual({})
    expect(result.servedPerS).toBeGreaterThanOrEqual(LEAST_SHARE * LIMIT.limit)
    expect(result.engineCallsPerS).toBeLessThanOrEqual(MOST_CALLS_PER_S)
  })

  test(`at 91 % load they call the engine ${MOST_CALLS_PER_REQUEST} times a request at most`, async () => {
    const result = await playQuietly(NEARLY_FULL, {
      isEnough: ({ faultsSeen }) => sum(Object.values(faultsSeen)) === 0,
    })
    expect(result.overInTime).toBe(0)
    expect(result.faultsSeen).toEqual({})
    expect(result.callsPerRequest).toBeLessThanOrEqual(MOST_CALLS_PER_REQUEST)
  })

  test.each(FAULTS)('$name at $callsPerS/s offered', async (row) => {
    const isEnough = (result: Result): boolean => result.servedPerS > LEAST_SHARE_IN_FAULT * LIMIT.limit
    const { overInTime, servedPerS, faultsSeen, sentWithoutEngine } = await playQuietly(row, { isEnough })
    expect(overInTime).toBe(0)
    expect(sentWithoutEngine).toBeGreaterThanOrEqual(row.engineAway ? 1 : 0)
    expect(servedPerS).toBeGreaterThan(LEAST_SHARE_IN_FAULT * LIMIT.limit)
    expect(sum(Object.values(faultsSeen))).toBeGreaterThan(0)
  })

  test.each(CONTROLS)('$name at $callsPerS/s offered overshoots', async (row) => {
    const { overInTime, sentWithoutEngine } = await play(row)
    expect(overInTime).toBeGreaterThan(0)
    expect(sentWithoutEngine).toBeGreaterThan(0)
  })

  test.skipIf(canSkew)('a replica with another time of day (skipped: install cc)', () => {})
})
