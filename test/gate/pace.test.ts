import { expect, test } from 'vitest'
import { Pace } from '../../src/gate/pace.ts'
import { answer, exchange, setUpGate } from '../support/set-up-gate.ts'

/** When the next may go after sends at these instants, 100 ms apart. */
function nextAfter(...sends: number[]): number {
  const pace = new Pace()
  for (const at of sends) pace.sent(at, 100)
  return pace.nextAt
}

test.each([
  { name: 'nothing sent: at once', sends: [], next: -Infinity },
  { name: 'the first one', sends: [0], next: 80 },
  { name: 'one on time', sends: [0, 80], next: 180 },
  { name: 'lateness up to 20 ms is made up for', sends: [0, 95], next: 180 },
  { name: 'more than 20 ms is not', sends: [0, 150], next: 230 },
  { name: 'a long pause gives no burst', sends: [0, 10_000], next: 10_080 },
])('$name', ({ sends, next }) => expect(nextAfter(...sends)).toBe(next))

test('spacings shorter than the lateness are made up for once', () => {
  const pace = new Pace()
  pace.sent(100, 5)
  expect(pace.nextAt).toBe(100)
  pace.sent(100, 5)
  expect(pace.nextAt).toBe(105)
})

test('sends are not spread over a window that is not known', () => {
  const { gate } = setUpGate({ pace: 'even' })
  exchange(gate, answer({ limit: 10, remaining: 9 }))
  exchange(gate)
  expect(gate.explain()).toMatchObject({ wouldWaitMs: 0, boundBy: 'nothing' })
})
