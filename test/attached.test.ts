import { expect, test } from 'vitest'
import { createAttached } from '../src/attached.ts'

test('each attaches its own, the last of which counts, and nobody else sees any', () => {
  const one = createAttached<object, string>()
  const other = createAttached<object, string>()
  const frozen = Object.freeze({ status: 200 })
  expect([one.get(frozen), other.get(frozen)]).toEqual([undefined, undefined])
  one.set(frozen, 'first')
  one.set(frozen, 'second')
  other.set(frozen, 'third')
  expect([one.get(frozen), other.get(frozen), one.get({ status: 200 })]).toEqual(['second', 'third', undefined])
  expect(Reflect.ownKeys(frozen)).toEqual(['status'])
})
