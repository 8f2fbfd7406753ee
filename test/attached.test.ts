import { expect, test } from 'vitest'
import { createAttached } from '../src/attached.ts'

test.each([
  ['an object', { status: 200 }],
  ['a frozen one', Object.freeze({ status: 200 })],
])('each attaches its own to %s, the last of which counts, and nobody else sees any', (_, bearer) => {
  const one = createAttached<object, string>()
  const other = createAttached<object, string>()
  expect([one.get(bearer), other.get(bearer)]).toEqual([undefined, undefined])
  one.set(bearer, 'first')
  one.set(bearer, 'second')
  other.set(bearer, 'third')
  expect([one.get(bearer), other.get(bearer), one.get({ status: 200 })]).toEqual(['second', 'third', undefined])
  expect(Reflect.ownKeys(bearer)).toEqual(['status'])
})
