import { expect, test } from 'vitest'
import { fits, isDigits } from '../../src/headers/text.ts'

test.each([
  ['', false],
  ['0', true],
  ['9', true],
  ['0123456789', true],
  ['/', false],
  [':', false],
  ['1a', false],
  ['1 ', false],
])('digits alone: %j: %s', (text, are) => expect(isDigits(text)).toBe(are))

const letters = [...'azAZ'].map((text): [string, string, boolean] => [text, 'a', true])
const none = [...'`{@[0'].map((text): [string, string, boolean] => [text, 'a', false])

test.each([
  ['', '', true],
  ['0', '9', true],
  ['9', '9', true],
  ['/', '9', false],
  [':', '9', false],
  ...letters,
  ...none,
  ['-', '-', true],
  ['_', '-', false],
  ['12-b', '99-a', true],
  ['12-b ', '99-a', false],
  ['12-', '99-a', false],
])('%j has the shape %j: %s', (text, pattern, does) => expect(fits(text, pattern)).toBe(does))
