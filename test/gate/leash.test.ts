import { expect, test, vi } from 'vitest'
import { giveBackLeash, takeLeash } from '../../src/gate/leash.ts'
import { isMutated } from '../support/mutated.ts'

test('a leash that is given back is handed out again, and tells nobody meanwhile', () => {
  const told: string[] = []
  const leash = takeLeash(() => told.push('first'))
  giveBackLeash(leash)
  expect(leash.onLost.call).toBeUndefined()
  expect(takeLeash(() => told.push('second'))).toBe(leash)
  leash.onLost.call!()
  expect(told).toEqual(['second'])
})

test.skipIf(isMutated)('where no loss can be noticed a leash is an empty one', async () => {
  vi.stubGlobal('FinalizationRegistry', undefined)
  vi.resetModules()
  try {
    const { takeLeash: take } = await import('../../src/gate/leash.ts')
    const onLost = (): void => {}
    expect(take(onLost)).toEqual({ onLost: { call: onLost } })
  } finally {
    vi.unstubAllGlobals()
    vi.resetModules()
  }
})
