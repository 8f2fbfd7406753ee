import { expect, test } from 'vitest'
import { stored } from '../support/other-process.ts'
import { answer, exchange, setUpGate } from '../support/set-up-gate.ts'

const windowMs = 60_000

/** A limit with and one without a name, one learned whose window is not known, and one that nothing was read of. */
function setUp() {
  const limits = [
    { limit: 10, windowMs, name: 'a' },
    { limit: 20, windowMs: 1_000, unit: 'tokens' },
  ]
  const { clock, gate } = setUpGate({ limits, transitMs: 0 })
  exchange(
    gate,
    answer({ name: 'a', limit: 10, remaining: 7 }, { limit: 5, windowMs: 2_000 }, { unit: 'bytes', remaining: 3 }),
  )
  return { clock, gate }
}

test('a snapshot has nothing of what is not known', async () => {
  const { clock, gate } = setUp()
  await clock.advance(500)
  expect(gate.snapshot().limits).toStrictEqual([
    {
      name: 'a',
      unit: 'requests',
      source: 'configured',
      limit: 10,
      windowMs,
      held: 1,
      foreignUse: 3,
      readingAgeMs: 500,
    },
    { unit: 'tokens', source: 'configured', limit: 20, windowMs: 1_000, held: 1, foreignUse: 0 },
    { unit: 'requests', source: 'learned', limit: 5, windowMs: 2_000, held: 0, foreignUse: 0 },
    { unit: 'bytes', source: 'learned', held: 0, foreignUse: 0 },
  ])
})

test('nor has what is saved, which is plain JSON', async () => {
  const { clock, gate } = setUp()
  await clock.advance(500)
  const saved = gate.save()
  expect(saved.limits).toStrictEqual([
    {
      name: 'a',
      unit: 'requests',
      source: 'configured',
      windowMs,
      counted: [[500, 1]],
      stated: 10,
      foreignUse: { lower: 2, upper: 3, sentAgoMs: 500, takenAgoMs: 500, expiresInMs: 59_500, provenForMs: 59_500 },
    },
    { unit: 'tokens', source: 'configured', windowMs: 1_000, counted: [[500, 1]] },
    { unit: 'requests', source: 'learned', windowMs: 2_000, counted: [], stated: 5 },
  ])
  expect(saved).toStrictEqual(stored(saved))
})
