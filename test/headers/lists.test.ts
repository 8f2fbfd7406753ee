import { expect, test } from 'vitest'
import { readMembers } from '../../src/headers/lists.ts'

/** Each member as its value and what its parameters say. */
const read = (text: string) => readMembers(text).map(({ value, parameters }) => [value, Object.fromEntries(parameters)])

test.each<[string, [string, object][]]>([
  ['', [['', {}]]],
  ['a', [['a', {}]]],
  [
    ' a ; w = 6 , b ',
    [
      ['a', { w: '6' }],
      ['b', {}],
    ],
  ],
  ['a;q', [['a', { q: '' }]]],
  ['a;=5', [['a', { '': '5' }]]],
  ['a;W=1;w=2', [['a', { w: '1' }]]],
  ['a;w=""', [['a', { w: '' }]]],
  ['a;w="', [['a', { w: '"' }]]],
  ['a;w="5"', [['a', { w: '5' }]]],
  ['a;w="5', [['a', { w: '"5' }]]],
  ['a;w=5"', [['a', { w: '5"' }]]],
  ['a;w="5;x=1,b', [['a', { w: '"5;x=1,b' }]]],
])('%j', (text, members) => expect(read(text)).toEqual(members))

test('sixteen members, the last one trimmed too', () => {
  expect(read(Array.from({ length: 16 }, (_, at) => ` ${at} `).join(',')).at(-1)).toEqual(['15', {}])
  for (const length of [17, 18, 40])
    expect(read(Array.from({ length }, (_, at) => ` ${at} `).join(','))).toHaveLength(16)
  expect(read(`${'a,'.repeat(15)}a;w=1;x=2,b`).at(-1)).toEqual(['a', { w: '1', x: '2' }])
})
