import { expect, test } from 'vitest'
import { giveBackLeash, takeLeash } from '../../src/gate/leash.ts'

test('a leash that is given back is handed out again, and tells nobody meanwhile', () => {
  const told: string[] = []
  const leash = takeLeash(() => told.push('first'))
  giveBackLeash(leash)
  expect(leash.onLost.call).toBeUndefined()
  expect(takeLeash(() => told.push('second'))).toBe(leash)
  leash.onLost.call!()
  expect(told).toEqual(['second'])
})
