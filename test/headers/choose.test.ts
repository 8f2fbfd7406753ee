import { expect, test } from 'vitest'
import type { Reading } from '../../src/gate/observation.ts'
import { choose } from '../../src/headers/choose.ts'

const common = (...readings: Reading[]) => ({ common: true, readings })
const own = (...readings: Reading[]) => ({ common: false, readings })
const counts = { limit: 5, remaining: 3 }

test.each<{ name: string; less: Reading; more: Reading }>([
  { name: 'a limit, more than a reset', less: { resetInMs: 1 }, more: { limit: 5 } },
  { name: 'what is left, more than a limit', less: { limit: 5 }, more: { remaining: 3 } },
  { name: 'what is used, more than a limit', less: { limit: 5 }, more: { used: 3 } },
  { name: 'both, more than what is left', less: { remaining: 3 }, more: counts },
])('of the common families the one is believed that tells most: $name', ({ less, more }) => {
  expect(choose([common(less), common(more)])).toEqual([more])
  expect(choose([common(more), common(less)])).toEqual([more])
})

test('of two that tell as much the first', () => {
  expect(choose([common({ limit: 5 }), common({ limit: 6 })])).toEqual([{ limit: 5 }])
})

test.each<{ name: string; said: Reading; named: Reading; joined: boolean }>([
  { name: 'the same counts', said: counts, named: counts, joined: true },
  { name: 'the same limit', said: { limit: 5 }, named: { limit: 5 }, joined: true },
  { name: 'another limit', said: counts, named: { limit: 6, remaining: 3 }, joined: false },
  { name: 'another number left', said: counts, named: { limit: 5, remaining: 2 }, joined: false },
  { name: 'no limit', said: { remaining: 3 }, named: { remaining: 3 }, joined: false },
  { name: 'another unit', said: counts, named: { ...counts, unit: 'tokens' }, joined: false },
  { name: 'a name of its own', said: { ...counts, name: 'b' }, named: counts, joined: false },
])('what they say is joined to a limit with a name and $name: $joined', ({ said, named, joined }) => {
  const [one, other] = [
    { resetInMs: 7, ...said },
    { name: 'a', ...named },
  ]
  const [first, ...rest] = choose([common(one), own({ name: 'z', limit: 9 }, other)])
  expect(first).toEqual(joined ? { name: 'z', limit: 9 } : one)
  expect(rest.at(-1)).toEqual(joined ? { ...one, ...other } : other)
  expect(rest).toHaveLength(joined ? 1 : 2)
})
