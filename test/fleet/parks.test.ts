import { describe, expect, test } from 'vitest'
import { needingServer, serverProgram } from '../support/redis-server.ts'
import { median, playParks } from './parks.ts'

const WITHIN_MS = 50

describe.skipIf(serverProgram === undefined)(needingServer('one process of six is told to wait'), () => {
  test(`it parks the five others within ${WITHIN_MS} ms, and one probe goes out for all`, async () => {
    const rounds = await playParks()
    for (const { delaysMs } of rounds) expect(delaysMs).toHaveLength(5)
    expect(rounds.map(({ probes }) => probes)).toEqual(rounds.map(() => 1))
    expect(median(rounds.flatMap(({ delaysMs }) => delaysMs))).toBeLessThan(WITHIN_MS)
  })
})
