import { expect, onTestFinished, test, vi } from 'vitest'
import { logEvents } from '../src/debug-log.ts'
import { Events } from '../src/events.ts'
import { VirtualClock } from '../src/testing/index.ts'

const place = { upstream: 'api', host: 'a.example', port: 443, partition: 'p1' }

function setUp(enabled = true) {
  const clock = new VirtualClock()
  const events = new Events()
  const lines: string[] = []
  logEvents(
    events,
    clock,
    Object.assign((text: string) => void lines.push(text), { enabled }),
  )
  const refuse = () => events.emit('headgate:refuse', () => ({ ...place, reason: 'parked', retryAfterMs: 5 }))
  return { clock, events, lines, refuse }
}

test('a line says what happened, where and with which numbers', () => {
  const { lines, refuse } = setUp()
  refuse()
  expect(lines).toEqual(['headgate:refuse api a.example:443 p1 {"reason":"parked","retryAfterMs":5}'])
})

test('a storm is 10 lines a second, and the next line says how many were left out', async () => {
  const { clock, lines, refuse } = setUp()
  for (let count = 0; count < 1_000; count += 1) refuse()
  expect(lines).toHaveLength(10)
  await clock.advance(999)
  refuse()
  expect(lines).toHaveLength(10)
  await clock.advance(1)
  refuse()
  refuse()
  expect(lines.slice(10).map((line) => line.includes('(991 lines left out)'))).toEqual([true, false])
})

test('nothing is listened to unless it is asked for', () => {
  const { lines, refuse } = setUp(false)
  refuse()
  expect(lines).toEqual([])
})

test.each([
  ['a runtime that turns on every section', () => true, 0],
  ['one that turns on this one', (section: string) => section === 'headgate', 1],
])('%s', (_, isOn, lines) => {
  const written: string[] = []
  const debuglog = (section: string) =>
    Object.assign((text: string) => void written.push(text), { enabled: isOn(section) })
  const builtin = process.getBuiltinModule.bind(process)
  vi.spyOn(process, 'getBuiltinModule').mockImplementation((name: string) =>
    name === 'node:util' ? ({ debuglog } as never) : (builtin(name) as never),
  )
  onTestFinished(() => void vi.restoreAllMocks())
  const events = new Events()
  logEvents(events, new VirtualClock())
  events.emit('headgate:probe', () => place)
  expect(written).toHaveLength(lines)
})
