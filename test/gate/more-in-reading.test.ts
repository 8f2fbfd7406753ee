import { expect, test } from 'vitest'
import { moreInReading } from '../../src/gate/limit.ts'

/** The answer to the attempt of place 5, sent at 1 000, brought a reading. */
const told = { order: 5, sentAt: 1_000 }

test.each([
  { name: 'counted before that one was sent', order: 3, countedAt: 900, lighter: -2, heavier: 2 },
  { name: 'counted as that one was sent', order: 3, countedAt: 1_000, lighter: -2, heavier: 2 },
  { name: 'counted later', order: 3, countedAt: 1_001, lighter: 0, heavier: 0 },
  { name: 'not known to be counted', order: 3, countedAt: undefined, lighter: 0, heavier: 0 },
  { name: 'of that place', order: 5, countedAt: 1_100, lighter: -2, heavier: 0 },
])('surely in a reading is what a correction changed of an attempt $name', ({ order, countedAt, lighter, heavier }) => {
  const attempt = { order, sentAt: 500, countedAt }
  const more = [-2, 2].map((delta) => moreInReading({ ...told, itself: true, alone: false }, attempt, delta))
  expect(more).toStrictEqual([lighter, heavier])
})

test('nothing of the attempt that brought it is, where it is only maybe in it', () => {
  const attempt = { ...told, countedAt: 1_100 }
  expect([-2, 2].map((delta) => moreInReading({ ...told, itself: false, alone: false }, attempt, delta))).toStrictEqual(
    [0, 0],
  )
})

test('nothing of any other is, where that one alone surely is', () => {
  const attempt = { order: 3, sentAt: 500, countedAt: 900 }
  expect([-2, 2].map((delta) => moreInReading({ ...told, itself: true, alone: true }, attempt, delta))).toStrictEqual([
    0, 0,
  ])
})
