import { describe, expect, test } from 'vitest'
import { WindowLimit } from '../../src/gate/window-limit.ts'
import { drive } from '../support/drive-limit.ts'

const windowMs = 60_000

/** A limit of 10 that the upstream states, with what is saved of others. */
function restored(upper: number, expiresInMs: number) {
  const state = new WindowLimit({ windowMs })
  const foreignUse = { lower: upper, upper, sentAgoMs: 0, takenAgoMs: 0, expiresInMs }
  state.restore({ unit: 'requests', source: 'learned', stated: 10, counted: [], foreignUse }, 0, 0)
  return { state, ...drive(state) }
}

describe('beside others, room comes', () => {
  test('when their reading is dropped, where own weight alone leaves room', () => {
    expect(restored(10, 5_000).block(0)).toEqual({ at: 5_000, cause: 'reading' })
  })

  test.each([
    { weight: 4, at: 30_000, name: 'when the reading is dropped, where own weight alone leaves room' },
    { weight: 5, at: windowMs + 1_000, name: 'when enough own weight has left, where it alone does not' },
  ])('for $weight of 10 beside 6 own and 2: $name', ({ weight, at }) => {
    const gate = restored(2, 30_000)
    for (let sent = 1; sent <= 6; sent++) gate.exchange(sent * 1_000)
    expect(gate.block(6_000, weight)).toEqual({ at, cause: 'reading' })
    expect(gate.state.projectAt(weight, 0, 6_000)).toBe(at)
  })

  test('at once, where all leave it', () => {
    const gate = restored(2, 30_000)
    for (let sent = 1; sent <= 6; sent++) gate.exchange(sent * 1_000)
    expect([gate.block(6_000, 2), gate.state.projectAt(2, 0, 6_000)]).toEqual([undefined, 6_000])
  })
})
