import { expect, test } from 'vitest'
import { Ramp } from '../../src/gate/ramp.ts'

test('holds nobody back until it starts', () => {
  const ramp = new Ramp()
  ramp.answered(false)
  expect(ramp.allowed).toBe(Infinity)
})

test('1, 2, 4 ... with each answer, until it holds nobody back', () => {
  const ramp = new Ramp()
  ramp.start()
  const allowed = [ramp.allowed]
  for (let answers = 0; answers < 11; answers++) {
    ramp.answered(false)
    allowed.push(ramp.allowed)
  }
  expect(allowed).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, Infinity])
})

test('ends where an answer states what is left', () => {
  const ramp = new Ramp()
  ramp.start()
  ramp.answered(true)
  expect(ramp.allowed).toBe(Infinity)
})
