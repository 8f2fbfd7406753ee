import { expect, test } from 'vitest'
import { Suspension } from '../../src/shared/suspension.ts'
import { VirtualClock } from '../../src/testing/index.ts'

test.each([
  { name: 'not where time has passed', jumpMs: 0, slept: false },
  { name: 'not where the wall clock was set a little', jumpMs: 999, slept: false },
  { name: 'not where it was set back', jumpMs: -60_000, slept: false },
  { name: 'where the wall clock is a second ahead of the monotonic one', jumpMs: 1_000, slept: true },
])('the machine has slept $name', async ({ jumpMs, slept }) => {
  const clock = new VirtualClock()
  const suspension = new Suspension(clock)
  suspension.note(clock.now())
  await clock.advance(5_000)
  clock.jumpWall(jumpMs)
  expect([suspension.hasEnded(clock.now()), suspension.hasEnded(clock.now())]).toEqual([slept, false])
})

test('nobody can tell before anything was noted', () => {
  const clock = new VirtualClock()
  clock.jumpWall(60_000)
  expect(new Suspension(clock).hasEnded(clock.now())).toBe(false)
})
