import { describe, expect, it } from 'vitest'
import { percent, type Run, shareOfCeiling, shortfalls } from '../../demo/result.ts'

const LIMIT = { limit: 2, windowMs: 100 }

function run(acceptedAtMs: number[], changes: Partial<Run> = {}): Run {
  const asked = 6
  return {
    client: 'c',
    asked,
    requests: asked,
    throttled: 0,
    busiestWindow: 2,
    acceptedAtMs,
    durationMs: 0,
    ...changes,
  }
}

describe('shareOfCeiling', () => {
  const table: [name: string, acceptedAtMs: number[], share: number][] = [
    ['each burst as the window before it ends', [0, 0, 100, 100, 200, 200], 1],
    ['wherever the time begins', [50, 50, 150, 150, 250, 250], 1],
    ['half a window lost', [0, 0, 100, 100, 250, 250], 6 / 7],
    ['a burst that was refused but for one window', [0, 1], 2 / 6],
    ['nothing let in', [], 0],
  ]
  for (const [name, acceptedAtMs, share] of table) {
    it(name, () => expect(shareOfCeiling(run(acceptedAtMs), LIMIT)).toBeCloseTo(share, 12))
  }

  it('stays below 1 where the last burst is not a full one', () => {
    expect(shareOfCeiling(run([0, 0, 100], { asked: 3 }), LIMIT)).toBe(3 / 4)
  })
})

describe('shortfalls', () => {
  const perfect = [0, 0, 100, 100, 200, 200]

  it('finds none where the promise is kept', () => expect(shortfalls(run(perfect), LIMIT)).toEqual([]))

  it('finds all of them at once', () => {
    const found = shortfalls(run([0, 0, 100, 100], { throttled: 2, busiestWindow: 4 }), LIMIT)
    expect(found).toEqual([
      '4 of 6 requests were let in',
      '2 requests were answered 429',
      '4 requests in one window of 100 ms; the limit is 2',
      '66.6 % of the ceiling; at least 95.0 % was promised',
    ])
  })

  it('takes 95 % as enough and no less', () => {
    const after = (ms: number): Run => run([0, 0, 100, 100, 200, ms])
    expect(shortfalls(after(215), LIMIT)).toEqual([])
    expect(shortfalls(after(216), LIMIT)).toEqual(['94.9 % of the ceiling; at least 95.0 % was promised'])
  })
})

describe('percent', () => {
  it('never rounds up', () => expect(percent(0.9499)).toBe('94.9 %'))
})
