import { expect, test } from 'vitest'
import { remembered } from '../../src/headers/remembered.ts'

test('each of the first two texts is worked out once, and any other whenever it is asked for', () => {
  const worked: string[] = []
  const isA = remembered(2, (text) => (worked.push(text), text === 'a'))
  const asked = ['a', 'b', 'c', 'a', 'b', 'c']
  expect(asked.map(isA)).toEqual([true, false, false, true, false, false])
  expect(worked).toEqual(['a', 'b', 'c', 'c'])
})
