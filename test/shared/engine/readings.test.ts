import { describe, expect, test } from 'vitest'
import type { CalledReading } from '../../../src/shared/protocol.ts'
import { engineUs, type LimitOf, setUpEngine, us } from './set-up-engine.ts'

const windowMs = 1_000
const transitMs = 100
const limits: LimitOf[] = [[10, windowMs]]

/** What an answer that came at `takenAt` to an attempt of `sentAt` says of a rolling window. */
function reading(sentAt: number, takenAt: number, used: number, stated = 10): CalledReading {
  return {
    index: 0,
    stated,
    used,
    sentAt: engineUs(sentAt),
    takenAt: engineUs(takenAt),
    surelySinceAt: engineUs(takenAt - windowMs),
    possiblySinceAt: engineUs(sentAt - windowMs - transitMs),
    transitUs: us(transitMs),
    until: engineUs(takenAt + windowMs),
  }
}

/** An engine that has granted so many units at these instants, to two members. */
function granted(sends: readonly (readonly [at: number, weight: number])[], of = limits) {
  const engine = setUpEngine(of)
  sends.forEach(([at, weight], index) => expect(engine.starts(at, index % 2 ? 'a' : 'b', [weight])).toEqual([at]))
  const told = (at: number, ...readings: CalledReading[]) => engine.hear(at, 'a', { readings })
  return { ...engine, told, room: (at: number) => engine.room(at, 'a') }
}

describe('what others have used', () => {
  test.each<{ name: string; sends: [number, number][]; readings: CalledReading[]; room: number }>([
    {
      name: 'nothing where the reading is what members sent',
      sends: [[0, 4]],
      readings: [reading(400, 450, 4)],
      room: 6,
    },
    { name: 'nothing where it is less', sends: [[0, 4]], readings: [reading(400, 450, 1)], room: 6 },
    { name: 'what is beyond all that members sent', sends: [[0, 4]], readings: [reading(400, 450, 7)], room: 3 },
    {
      name: 'nothing as long as what may be counted explains it',
      sends: [
        [0, 2],
        [380, 2],
      ],
      readings: [reading(400, 450, 3)],
      room: 6,
    },
    {
      name: 'once it is proven, what is beyond all that was surely counted',
      sends: [
        [0, 2],
        [380, 2],
      ],
      readings: [reading(400, 450, 5)],
      room: 3,
    },
    {
      name: 'and so for later readings',
      sends: [
        [0, 2],
        [380, 2],
      ],
      readings: [reading(400, 450, 5), reading(420, 460, 4)],
      room: 4,
    },
    {
      name: 'not by a reading of an attempt that was sent earlier',
      sends: [[0, 4]],
      readings: [reading(400, 450, 7), reading(399, 460, 10)],
      room: 3,
    },
    {
      name: 'what was sent after the reading is not in it',
      sends: [
        [0, 4],
        [460, 3],
      ],
      readings: [reading(400, 450, 7)],
      room: 0,
    },
  ])('$name', ({ sends, readings, room }) => {
    const engine = granted(sends)
    for (const each of readings) engine.told(500, each)
    expect(engine.room(500)).toBe(room)
  })

  test('is nothing where what members sent before is not known any more', () => {
    const engine = granted([
      [0, 4],
      [600, 4],
    ])
    engine.told(1_360, reading(1_300, 1_350, 9))
    expect(engine.room(1_361)).toBe(6)
  })

  test('binds until the reading is older than its window', () => {
    const engine = granted([[0, 4]])
    engine.told(500, reading(400, 450, 10))
    expect(engine.hear(500, 'a', { wants: [1] }).backAt).toBe(1_000)
    expect([engine.room(1_000), engine.room(1_449), engine.room(1_450)]).toEqual([4, 0, 6])
  })

  test('has one that finds no room beside it come back when the reading is older than its window', () => {
    const engine = granted([[0, 1]])
    engine.told(500, reading(400, 450, 11))
    expect(engine.hear(600, 'a', { wants: [1] }).backAt).toBe(1_450)
  })

  test('counts at its upper end for one window after it was proven, and then at its lower end again', () => {
    const engine = granted([[0, 2]])
    engine.told(500, reading(400, 450, 3))
    expect(engine.starts(1_400, 'b', [1])).toEqual([1_400])
    engine.told(1_430, reading(1_420, 1_425, 2))
    expect(engine.state.limits.get('l0')!.reading.foreign).toBe(2)
    engine.told(1_480, reading(1_460, 1_470, 2))
    expect(engine.state.limits.get('l0')!.reading.foreign).toBe(0)
  })

  test('is not told by a reading that is too old when it comes', () => {
    const engine = granted([[0, 4]])
    engine.told(1_450, reading(400, 450, 10))
    expect(engine.room(1_450)).toBe(10)
  })

  test('is not told by a reading of a limit that there is not', () => {
    const engine = granted([[0, 4]])
    engine.told(500, { ...reading(400, 450, 10), index: 3 })
    expect(engine.room(500)).toBe(6)
  })
})

describe('the limit that the upstream states', () => {
  test.each([
    { name: 'binds where it is below the configured one', stated: 5, room: 1 },
    { name: 'does not loosen the configured one', stated: 50, room: 6 },
  ])('$name', ({ stated, room }) => {
    const engine = granted([[0, 4]])
    engine.told(500, reading(400, 450, 4, stated))
    expect(engine.room(500)).toBe(room)
  })

  test('lets more than it go alone', () => {
    const engine = granted([[0, 1]])
    engine.told(500, reading(400, 450, 1, 5))
    expect([engine.starts(501, 'a', [7]), engine.starts(1_000, 'a', [7])]).toEqual([[], [1_000]])
  })
})
