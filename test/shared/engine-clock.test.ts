import { describe, expect, test } from 'vitest'
import { EngineClock } from '../../src/shared/engine-clock.ts'

const us = (ms: number): number => ms * 1000

/** The engine's clock reads 1 000 000 more than this process's; samples are [called, read, arrived]. */
function noted(...samples: [calledAt: number, readAt: number, arrivedAt: number][]): EngineClock {
  const clock = new EngineClock()
  for (const [calledAt, readAt, arrivedAt] of samples) clock.note(us(readAt + 1e6), calledAt, arrivedAt)
  return clock
}

const bounds = (clock: EngineClock): [earliest: number, latest: number] => [
  clock.earliestUs(0) / 1000 - 1e6,
  clock.latestUs(0) / 1000 - 1e6,
]

describe('an instant by the clock of the engine', () => {
  test('is not known at first', () => {
    expect([noted().earliestUs(5), noted().latestUs(5), noted().localAt(5)]).toEqual([0, 0, Infinity])
  })

  test('lies as far apart as a call and its answer', () => {
    expect(bounds(noted([0, 3, 10]))).toEqual([-7, 3])
  })

  test('is as narrow as all recent samples together', () => {
    expect(bounds(noted([0, 3, 10], [100, 101, 104], [200, 208, 209]))).toEqual([-1, 1])
  })

  test('is by this process no earlier than it can have been', () => {
    expect(noted([0, 3, 10]).localAt(us(1e6 + 50))).toBe(57)
  })

  test('begins anew where a sample contradicts the others: the clock has moved', () => {
    expect(bounds(noted([0, 1, 2], [100, 601, 102]))).toEqual([499, 501])
    expect(bounds(noted([0, 1, 2], [100, -400, 102]))).toEqual([-502, -500])
  })

  test('forgets samples of more than 5 to 10 s ago: clocks drift', () => {
    const samples: [number, number, number][] = [[0, 0, 0]]
    for (let at = 1_000; at <= 9_000; at += 1_000) samples.push([at - 5, at, at + 5])
    expect(bounds(noted(...samples))).toEqual([0, 0])
    expect(bounds(noted(...samples, [11_000 - 5, 11_000, 11_005], [17_000 - 5, 17_000, 17_005]))).toEqual([-5, 5])
  })

  test('is not known after a reset', () => {
    const clock = noted([0, 3, 10])
    clock.reset()
    expect(clock.latestUs(5)).toBe(0)
  })
})
