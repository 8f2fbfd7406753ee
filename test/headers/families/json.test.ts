import { expect, test } from 'vitest'
import { readRateLimit } from '../../../src/headers/index.ts'

const nowMs = Date.UTC(2026, 0, 1)
const name = 'n'.repeat(64)
const read = (header: string, text: string) => readRateLimit({ [header]: text }, { nowMs }).limits

test.each<[object, object[]]>([
  [
    { name: 'API', period: 10, limit: 50, remaining: 0, until: '2026-01-01T00:00:20Z' },
    [{ name: 'API', limit: 50, remaining: 0, windowMs: 10_000, resetInMs: 20_000, resetStepMs: 1_000 }],
  ],
  [{ limit: 50 }, [{ limit: 50 }]],
  [{ remaining: 0 }, [{ remaining: 0 }]],
  [{ name: 'API', period: 10 }, []],
  [{ limit: 50, until: 20 }, [{ limit: 50 }]],
  [{ limit: 50, until: 'soon' }, [{ limit: 50 }]],
  [{ limit: 50, name }, [{ limit: 50, name }]],
  [{ limit: 50, name: `${name}n` }, [{ limit: 50 }]],
  [{ limit: 50, name: ['a'] }, [{ limit: 50 }]],
  [{ limit: 50, name: 5 }, [{ limit: 50 }]],
  [{ limit: 50, period: 0 }, [{ limit: 50 }]],
  [{ limit: 50, period: 0.0001 }, [{ limit: 50, windowMs: 1 }]],
  [{ limit: 50, period: 315_360_000 }, [{ limit: 50, windowMs: 315_360_000_000 }]],
  [{ limit: 50, period: 315_360_001 }, [{ limit: 50 }]],
  [{ limit: 0 }, [{ limit: 0 }]],
  [{ limit: 1e12 }, [{ limit: 1e12 }]],
  [{ limit: 1e12 + 1 }, []],
  [{ limit: -1 }, []],
  [{ limit: '50' }, []],
])('x-ratelimit: %j', (value, limits) => {
  expect(read('x-ratelimit', JSON.stringify(value))).toStrictEqual(limits)
})

test.each(['null', '5', '"limit"', '{', 'true', '[50]'])('what is no object tells nothing: %s', (text) => {
  for (const header of ['x-ratelimit', 'x-app-usage', 'x-business-use-case-usage'])
    expect(read(header, text)).toEqual([])
})

const percent = (of: string, used: number, more: object = {}) => ({ name: of, limit: 1, used, unit: 'share', ...more })

test.each(['x-app-usage', 'x-ad-account-usage'])('%s: percentages', (header) => {
  const usage = { call_count: 28, total_time: 25, total_cputime: 100, acc_id_util_pct: 9, other: 5 }
  expect(read(header, JSON.stringify(usage))).toStrictEqual([
    percent('call_count', 0.28),
    percent('total_cputime', 1),
    percent('total_time', 0.25),
    percent('acc_id_util_pct', 0.09),
  ])
})

test.each<[unknown, object[]]>([
  [[{ call_count: 50, estimated_time_to_regain_access: 2 }], [percent('call_count', 0.5, { resetInMs: 120_000 })]],
  [[{ call_count: 50, estimated_time_to_regain_access: 0 }, { call_count: 9 }], [percent('call_count', 0.5)]],
  [[], []],
  [[null], []],
  [[5], []],
  ['call_count', []],
  [{ call_count: 50 }, []],
])('of one business case: %j', (cases, limits) => {
  expect(read('x-business-use-case-usage', JSON.stringify({ '123': cases }))).toStrictEqual(limits)
})
