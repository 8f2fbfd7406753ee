import { expect, test, vi } from 'vitest'
import { Attempts } from '../../src/gate/attempts.ts'
import { giveBackLeash, takeLeash } from '../../src/gate/leash.ts'
import { isMutated } from '../support/mutated.ts'

const [first, second] = [0, 1].map((order) => new Attempts().send(order, 1, false, false))

test('a leash that is given back is handed out again, and holds nothing meanwhile', () => {
  const holder = { lose: () => {} }
  const leash = takeLeash(holder, first!)
  expect(leash.held).toEqual({ holder, attempt: first })
  giveBackLeash(leash)
  expect(leash.held).toEqual({ holder: undefined, attempt: undefined })
  expect(takeLeash(holder, second!)).toBe(leash)
  expect(leash.held).toEqual({ holder, attempt: second })
})

test.skipIf(isMutated)('where no loss can be noticed a leash is an empty one', async () => {
  vi.stubGlobal('FinalizationRegistry', undefined)
  vi.resetModules()
  try {
    const { takeLeash: take } = await import('../../src/gate/leash.ts')
    const holder = { lose: () => {} }
    expect(take(holder, first!)).toEqual({ held: { holder, attempt: first } })
  } finally {
    vi.unstubAllGlobals()
    vi.resetModules()
  }
})
