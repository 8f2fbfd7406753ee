import { describe, expect, test } from 'vitest'
import { Queue } from '../../src/gate/queue.ts'
import type { Weight } from '../../src/gate/weight.ts'

interface Caller {
  name: string
  priority: number
  weight: Weight
  arrival: number
  previous: Caller | undefined
  next: Caller | undefined
}

type Asked = { priority?: number | undefined; weight?: Weight | undefined }

const aCaller = (name: string, arrival: number, { priority = 0, weight = 1 }: Asked = {}): Caller => ({
  name,
  priority,
  weight,
  arrival,
  previous: undefined,
  next: undefined,
})

function queueOf(...callers: [name: string, priority?: number, weight?: Weight][]) {
  const queue = new Queue<Caller>()
  const standing = new Map(
    callers.map(([name, priority, weight], arrival) => [name, aCaller(name, arrival, { priority, weight })]),
  )
  for (const caller of standing.values()) queue.add(caller)
  const leave = (name: string) => queue.remove(standing.get(name)!)
  const drain = () => {
    const names: string[] = []
    for (let head = queue.head; head; head = queue.head) {
      names.push(head.name)
      leave(head.name)
    }
    return names.join('')
  }
  return { queue, leave, drain }
}

describe('order', () => {
  test.each<{ name: string; callers: [string, number?][]; order: string }>([
    { name: 'first in, first out', callers: [['a'], ['b'], ['c']], order: 'abc' },
    {
      name: 'higher priority first',
      callers: [
        ['a', 0],
        ['b', 2],
        ['c', 1],
      ],
      order: 'bca',
    },
    {
      name: 'first in, first out within one',
      callers: [
        ['a', 1],
        ['b', 0],
        ['c', 1],
        ['d', 0],
      ],
      order: 'acbd',
    },
    {
      name: 'priorities below 0 and of fractions',
      callers: [
        ['a', -1],
        ['b', -0.5],
        ['c', 0.5],
        ['d', 0],
      ],
      order: 'cdba',
    },
  ])('$name', ({ callers, order }) => {
    const { queue, drain } = queueOf(...callers)
    expect([queue.size, drain(), queue.size, queue.head]).toEqual([callers.length, order, 0, undefined])
  })

  test.each(['a', 'b', 'c', 'd'])('whoever leaves, the others keep theirs (%s)', (gone) => {
    const { leave, drain } = queueOf(['a'], ['b'], ['c', 1], ['d'])
    leave(gone)
    expect(drain()).toBe('cabd'.replace(gone, ''))
  })
})

test.each([
  { priority: 2, ahead: false },
  { priority: 1, ahead: true },
  { priority: 0, ahead: true },
  { priority: -1, ahead: true },
])('of priority $priority a newcomer stands behind another: $ahead', ({ priority, ahead }) => {
  expect(queueOf(['a', 1], ['b', 0]).queue.hasAhead({ priority, arrival: 9 })).toBe(ahead)
  expect(queueOf().queue.hasAhead({ priority, arrival: 9 })).toBe(false)
})

test.each([
  { priority: 2, requests: 0, tokens: 0 },
  { priority: 1, requests: 3, tokens: 3 },
  { priority: 0, requests: 4, tokens: 503 },
  { priority: -1, requests: 9, tokens: 503 },
])('what goes before a newcomer of priority $priority, by unit', ({ priority, requests, tokens }) => {
  const { queue, leave } = queueOf(['a', 1, 3], ['b', 0, { tokens: 500 }], ['c', -1, { requests: 5 }], ['d', -1, 7])
  leave('d')
  expect([
    queue.weightAhead({ priority, arrival: 9 }, 'requests'),
    queue.weightAhead({ priority, arrival: 9 }, 'tokens'),
  ]).toEqual([requests, tokens])
})

describe('one that comes back', () => {
  const back = (name: string, arrival: number, priority = 0) => aCaller(name, arrival, { priority })

  test('goes before those of its priority that asked after it did, and after those before', () => {
    const { queue } = queueOf(['c'], ['d'])
    const callers = [back('b', -1), back('a', -2), back('e', 0.5), back('z', -9, -1)]
    for (const caller of callers) queue.add(caller)
    expect([...queue].map(({ name }) => name).join('')).toBe('abcedz')
  })

  test('has the weight of those ahead who asked before it did, and none of those it passes', () => {
    const { queue } = queueOf(['c', 0, 5], ['d', 0, 7])
    for (const arrival of [-3, -2]) queue.add(aCaller('back', arrival, { weight: 2 }))
    const ahead = [-4, -3, -2, 0.5].map((arrival) => queue.weightAhead({ priority: 0, arrival }, 'requests'))
    expect(ahead).toEqual([0, 2, 4, 9])
  })

  test('behind more than a few has all of its priority ahead', () => {
    const { queue } = queueOf()
    for (let arrival = 0; arrival < 400; arrival += 1) queue.add(aCaller('any', arrival))
    const ahead = [0, 254, 255, 256, 398, 399].map((arrival) => queue.weightAhead({ priority: 0, arrival }, 'requests'))
    expect(ahead).toEqual([1, 255, 256, 400, 400, 400])
  })

  test('has nobody ahead, and no weight, where all asked later', () => {
    const { queue } = queueOf(['c'], ['d'])
    const rank = { priority: 0, arrival: -1 }
    expect([queue.hasAhead(rank), queue.weightAhead(rank, 'requests')]).toEqual([false, 0])
  })
})

test('leaving touches only its neighbours, wherever it stands', () => {
  const { queue } = queueOf()
  const callers = Array.from({ length: 1_000 }, (_, name) => aCaller(String(name), name))
  for (const caller of callers) queue.add(caller)
  let reads = 0
  for (const caller of callers) {
    let { next } = caller
    Object.defineProperty(caller, 'next', {
      get: () => (reads++, next),
      set: (value) => {
        next = value
      },
    })
  }
  queue.remove(callers[500]!)
  expect(reads).toBeLessThan(10)
})
