import { describe, expect, test } from 'vitest'
import { lossesOf, type Race } from '../../bench/report/losses.ts'

const RUNNERS = [
  { name: 'headgate', value: 10 },
  { name: 'two', value: 12, note: '3 429s' },
  { name: 'three', value: 8 },
  { name: 'four', value: 14 },
]

function race(told: Partial<Race>): Race {
  return { what: 'a race', better: 'less', ours: 'headgate', runners: RUNNERS, format: String, ...told }
}

describe('where headgate loses', () => {
  test.each([
    ['less is better', race({ better: 'less' }), 'three', '8', []],
    ['more is better', race({ better: 'more' }), 'four', '14', ['two']],
  ])('%s: the best first, then all others who are better', (_, run, bestsName, best, alsoBetter) => {
    expect(lossesOf([run])).toMatchObject([{ what: 'a race', ours: '10', best, bestsName, alsoBetter }])
  })

  test('tells what else there is to know of the best', () => {
    const [loss] = lossesOf([race({ better: 'more', runners: RUNNERS.slice(0, 2) })])
    expect(loss?.bestsNote).toBe('3 429s')
  })

  test('nowhere, where nobody is better, all are equal or headgate did not run', () => {
    const first = RUNNERS.slice(0, 2)
    const equal = RUNNERS.map((runner) => ({ ...runner, value: 10 }))
    expect(lossesOf([race({ runners: first }), race({ runners: equal }), race({ runners: RUNNERS.slice(1) })])).toEqual(
      [],
    )
  })

  test('not by what does not show in print', () => {
    expect(lossesOf([race({ format: (value) => (value / 10).toFixed(0) })])).toEqual([])
  })

  test.each([
    [0.26, []],
    [0.25, ['three']],
  ])('not by less than the noise: with %d of 8 lost to %j', (noise, lost) => {
    expect(lossesOf([race({ noise })]).map(({ bestsName }) => bestsName)).toEqual(lost)
  })
})
