import { expect, test } from 'vitest'
import { Soak, type SoakReport } from './soak.ts'

test('hours of mixed traffic with faults leave no gate, timer or listener behind once all is idle', async () => {
  const hours: SoakReport[] = []
  const note = (report: SoakReport): void => void hours.push(report)
  const report = await new Soak({ hours: 4, upstreams: 8, onHour: note }).run()
  for (const { gates, ledgerBytes } of hours) expect([gates, ledgerBytes < gates * 1_000]).toEqual([8, true])
  expect(report).toMatchObject({ gates: 0, queued: 0, held: 0, ledgerBytes: 0, timers: 0, listeners: 0 })
  for (const ended of ['200', '429', '500', 'TypeError', 'TimeoutError', 'RateLimitError'])
    expect([ended, report.calls[ended]! > 0]).toEqual([ended, true])
  expect(Object.keys(report.faults)).toHaveLength(8)
})
