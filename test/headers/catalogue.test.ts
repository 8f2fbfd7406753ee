import { expect, test } from 'vitest'
import { Catalogue } from '../../src/headers/catalogue.ts'
import type { Family } from '../../src/headers/family.ts'

const family = (headers: Record<string, string>, more: Partial<Family> = {}): Family => ({
  headers,
  read: () => [],
  ...more,
})

/** Which headers tell which limits, by name. */
const found = (catalogue: Catalogue, ...names: string[]) =>
  catalogue.sources(names).map(({ name, headers }) => [name, headers])

test.each([
  ['a--b', false],
  ['a-b', false],
  ['a-x-c', false],
  ['c-x-b', false],
  ['a-x-b', true],
  [`a-${'x'.repeat(60)}-b`, true],
  [`a-${'x'.repeat(61)}-b`, false],
  ['content-type', false],
])('a pattern reads %s: %s', (name, reads) => {
  const catalogue = new Catalogue([family({ limit: 'a-*-b' })])
  expect([catalogue.reads(name), catalogue.reads(name)]).toEqual([reads, reads])
})

test('what no family reads tells no limit', () => {
  expect(found(new Catalogue([family({ limit: 'a-*' })]), 'b-x')).toEqual([])
})

test('of patterns the longer one goes first, and exact names before both', () => {
  const families = [family({ any: 'a-*' }), family({ limit: 'a-*-limit' }), family({ exact: 'a-own-limit' })]
  for (const each of [families, families.toReversed()]) {
    const catalogue = new Catalogue(each)
    expect(found(catalogue, 'a-x-limit')).toEqual([['x', { limit: 'a-x-limit' }]])
    expect(found(catalogue, 'a-own-limit')).toEqual([['', { exact: 'a-own-limit' }]])
  }
})

test('headers of the same limit belong together, and limits are in the order of the families', () => {
  const catalogue = new Catalogue([family({ limit: 'a-*', left: 'b-*' }), family({ limit: 'x' })])
  expect(found(catalogue, 'x', 'a-one', 'b-two', 'b-one')).toEqual([
    ['one', { limit: 'a-one', left: 'b-one' }],
    ['two', { left: 'b-two' }],
    ['', { limit: 'x' }],
  ])
})

test('a family that needs a header tells nothing without it', () => {
  const catalogue = new Catalogue([family({ limit: 'a', usage: 'b' }, { needs: 'usage' })])
  expect([found(catalogue, 'a'), found(catalogue, 'a', 'b').length]).toEqual([[], 1])
})

test('what own families claim no other reads', () => {
  const [first, second] = [family({ limit: 'a', left: 'b' }), family({ limit: 'a' })]
  const catalogue = new Catalogue([first, second], [family({ mine: 'a' })])
  expect(found(catalogue, 'a', 'b')).toEqual([
    ['', { mine: 'a' }],
    ['', { left: 'b' }],
  ])
})
