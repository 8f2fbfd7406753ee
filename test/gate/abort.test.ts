import { describe, expect, test } from 'vitest'
import { Aborts, type Signal } from '../../src/gate/abort.ts'

/** A signal that counts its listeners. */
class CountedSignal implements Signal {
  aborted = false
  reason: unknown
  readonly listeners = new Set<() => void>()
  added = 0
  addEventListener(type: 'abort', listener: () => void): void {
    this.added++
    if (type === 'abort') this.listeners.add(listener)
  }
  removeEventListener(type: 'abort', listener: () => void): void {
    if (type === 'abort') this.listeners.delete(listener)
  }
  abort(reason: unknown): void {
    this.aborted = true
    this.reason = reason
    for (const listener of this.listeners) listener()
  }
}

function setUp() {
  const aborted: [members: string[], reason: unknown][] = []
  const aborts = new Aborts<string>((members, reason) => aborted.push([[...members], reason]))
  return { aborts, aborted, signal: new CountedSignal() }
}

describe('one signal that many share', () => {
  test('has one listener, and none when the last is done', () => {
    const { aborts, signal } = setUp()
    for (const member of ['a', 'b', 'c']) aborts.watch(signal, member)
    expect([signal.added, signal.listeners.size]).toEqual([1, 1])
    aborts.unwatch(signal, 'b')
    aborts.unwatch(signal, 'a')
    expect(signal.listeners.size).toBe(1)
    aborts.unwatch(signal, 'c')
    expect(signal.listeners.size).toBe(0)
  })

  test.each([
    { leaves: 'a', left: ['b', 'c'] },
    { leaves: 'b', left: ['a', 'c'] },
  ])('aborts those who are left, in order, with its reason, and has no listener then', ({ leaves, left }) => {
    const { aborts, aborted, signal } = setUp()
    for (const member of ['a', 'b', 'c']) aborts.watch(signal, member)
    aborts.unwatch(signal, leaves)
    signal.abort('enough')
    expect([aborted, signal.listeners.size]).toEqual([[[left, 'enough']], 0])
  })

  test('is forgotten once it has aborted', () => {
    const { aborts, signal } = setUp()
    aborts.watch(signal, 'a')
    signal.abort('enough')
    aborts.watch(signal, 'b')
    expect(signal.added).toBe(2)
  })

  test('is listened to again after all were done', () => {
    const { aborts, aborted, signal } = setUp()
    aborts.watch(signal, 'a')
    aborts.unwatch(signal, 'a')
    aborts.watch(signal, 'b')
    signal.abort('later')
    expect([signal.added, aborted]).toEqual([2, [[['b'], 'later']]])
  })
})

test('each signal aborts its own', () => {
  const { aborts, aborted, signal } = setUp()
  const other = new CountedSignal()
  aborts.watch(signal, 'a')
  aborts.watch(other, 'b')
  other.abort('no')
  expect([aborted, signal.listeners.size]).toEqual([[[['b'], 'no']], 1])
})

test('one that is not watched is not unwatched', () => {
  const { aborts, signal } = setUp()
  aborts.unwatch(signal, 'a')
  aborts.watch(signal, 'a')
  aborts.unwatch(signal, 'b')
  expect(signal.listeners.size).toBe(1)
})
