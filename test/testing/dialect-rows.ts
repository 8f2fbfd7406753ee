import type { MeterOptions, RateHeaders } from '../../src/testing/index.ts'

export type Headers = Record<string, string>

export const wallStartMs = Date.UTC(2026, 0, 1)
const epoch = wallStartMs / 1000

/** When the requests are sent, and instants after it, in ms. */
export const sent = 250
const [t1, t2, t20, t90, t3600] = [1_000, 2_000, 20_000, 90_000, 3_600_000] as const

const bucket = { kind: 'token-bucket', windowMs: 60_000 } as const
export const fixed = { kind: 'fixed', windowMs: 3_600_000 } as const
export const perMinute = { windowMs: 60_000 }

type Row = [style: RateHeaders & string, limits: MeterOptions | MeterOptions[], stated: [atMs: number, Headers][]]

/** What each dialect states after three requests that were sent at `sent`, and nothing since. */
export const rows: Row[] = [
  [
    'github',
    { ...fixed, limit: 60 },
    [
      [sent, rate('x-ratelimit', 60, 57, `${epoch + 3_600}`, { used: '3', resource: 'core' })],
      [t90, rate('x-ratelimit', 60, 57, `${epoch + 3_600}`, { used: '3', resource: 'core' })],
      [t3600, rate('x-ratelimit', 60, 60, `${epoch + 7_200}`, { used: '0', resource: 'core' })],
    ],
  ],
  [
    'gitlab',
    { ...fixed, limit: 100, windowMs: 90_000 },
    [
      [sent, gitlab({ observed: '3', remaining: '97', reset: `${epoch + 90}`, time: '00:01:30' })],
      [t20, gitlab({ observed: '3', remaining: '97', reset: `${epoch + 90}`, time: '00:01:30' })],
      [t90, gitlab({ observed: '0', remaining: '100', reset: `${epoch + 180}`, time: '00:03:00' })],
    ],
  ],
  [
    'openai',
    [
      { ...bucket, limit: 5_000 },
      { ...bucket, limit: 160_000, unit: 'tokens' },
    ],
    [
      [sent, { ...openai('requests', 5_000, 4_997, '36ms'), ...openai('tokens', 160_000, 156_400, '1.35s') }],
      [t1, { ...openai('requests', 5_000, 5_000, '0s'), ...openai('tokens', 160_000, 158_400, '600ms') }],
      [t2, { ...openai('requests', 5_000, 5_000, '0s'), ...openai('tokens', 160_000, 160_000, '0s') }],
    ],
  ],
  [
    'openai',
    { ...fixed, limit: 10 },
    [
      [sent, openai('requests', 10, 7, '59m59.75s')],
      [t20, openai('requests', 10, 7, '59m40s')],
    ],
  ],
  [
    'anthropic',
    [
      { ...bucket, limit: 50 },
      { ...bucket, limit: 50_000, unit: 'tokens' },
      { ...bucket, limit: 8_000, unit: 'output-tokens' },
    ],
    [
      [
        sent,
        {
          ...anthropic('requests', 50, 47, '00:00:04'),
          ...anthropic('tokens', 50_000, 46_000, '00:00:05'),
          ...anthropic('output-tokens', 8_000, 8_000, '00:00:04'),
        },
      ],
      [
        t20,
        {
          ...anthropic('requests', 50, 50, '00:00:20'),
          ...anthropic('tokens', 50_000, 50_000, '00:00:20'),
          ...anthropic('output-tokens', 8_000, 8_000, '00:00:20'),
        },
      ],
    ],
  ],
  [
    'discord',
    { limit: 5, windowMs: 5_000 },
    [
      [sent, rate('x-ratelimit', 5, 2, `${epoch + 5}.250`, { 'reset-after': '5.000', bucket: 'abcd1234' })],
      [t1 + 0.6, rate('x-ratelimit', 5, 2, `${epoch + 5}.250`, { 'reset-after': '4.250', bucket: 'abcd1234' })],
    ],
  ],
  [
    'ietf-06',
    { ...perMinute, limit: 100 },
    [
      [sent, rate('ratelimit', 100, 97, '60', { policy: '100;w=60' })],
      [t1, rate('ratelimit', 100, 97, '60', { policy: '100;w=60' })],
      [t20, rate('ratelimit', 100, 97, '41', { policy: '100;w=60' })],
      [t90, rate('ratelimit', 100, 100, '0', { policy: '100;w=60' })],
    ],
  ],
  [
    'ietf-08',
    [
      { ...perMinute, limit: 100 },
      { windowMs: 86_400_000, limit: 50_000, unit: 'tokens', name: 'day' },
    ],
    [
      [sent, ietf08('"default";r=97;t=60, "day";r=46400;t=86400')],
      [t20, ietf08('"default";r=97;t=41, "day";r=46400;t=86381')],
      [t90, ietf08('"default";r=100;t=0, "day";r=46400;t=86311')],
    ],
  ],
  [
    'shopify',
    { ...bucket, limit: 40, windowMs: 20_000 },
    [
      [sent, { 'x-shopify-shop-api-call-limit': '3/40' }],
      [sent + t1, { 'x-shopify-shop-api-call-limit': '1/40' }],
      [t20, { 'x-shopify-shop-api-call-limit': '0/40' }],
    ],
  ],
  [
    'riot',
    [
      { limit: 20, windowMs: 1_000 },
      { limit: 2_000, windowMs: 10_000, name: 'method' },
      { limit: 100, windowMs: 120_000 },
      { limit: 12_000, windowMs: 600_000, name: 'method-slow' },
    ],
    [
      [sent, riot('3:1,3:120', '3:10,3:600')],
      [t2, riot('0:1,3:120', '3:10,3:600')],
      [t20, riot('0:1,3:120', '0:10,3:600')],
    ],
  ],
  ['riot', { limit: 20, windowMs: 1_000 }, [[sent, { 'x-app-rate-limit': '20:1', 'x-app-rate-limit-count': '3:1' }]]],
  [
    'reddit',
    { ...fixed, limit: 600, windowMs: 600_000 },
    [
      [sent, { 'x-ratelimit-used': '3', 'x-ratelimit-remaining': '597.0', 'x-ratelimit-reset': '600' }],
      [t20, { 'x-ratelimit-used': '3', 'x-ratelimit-remaining': '597.0', 'x-ratelimit-reset': '580' }],
      [t3600, { 'x-ratelimit-used': '0', 'x-ratelimit-remaining': '600.0', 'x-ratelimit-reset': '600' }],
    ],
  ],
  [
    'twitch',
    { ...bucket, limit: 80 },
    [
      [sent, rate('ratelimit', 80, 77, `${epoch + 3}`)],
      [t2, rate('ratelimit', 80, 79, `${epoch + 3}`)],
      [t20, rate('ratelimit', 80, 80, `${epoch + 20}`)],
    ],
  ],
]

export function rate(prefix: string, limit: number, remaining: number, reset: string, others: Headers = {}): Headers {
  return prefixed(prefix, { limit: `${limit}`, remaining: `${remaining}`, reset, ...others })
}

function prefixed(prefix: string, fields: Headers): Headers {
  return Object.fromEntries(Object.entries(fields).map(([field, text]) => [`${prefix}-${field}`, text]))
}

function gitlab({ time, ...fields }: { observed: string; remaining: string; reset: string; time: string }): Headers {
  const name = 'throttle_authenticated_api'
  return prefixed('ratelimit', { limit: '67', name, resettime: `Thu, 01 Jan 2026 ${time} GMT`, ...fields })
}

export function openai(metric: string, limit: number, remaining: number, reset: string): Headers {
  const of = (field: string) => `x-ratelimit-${field}-${metric}`
  return { [of('limit')]: `${limit}`, [of('remaining')]: `${remaining}`, [of('reset')]: reset }
}

export function anthropic(metric: string, limit: number, remaining: number, time: string): Headers {
  return rate(`anthropic-ratelimit-${metric}`, limit, remaining, `2026-01-01T${time}Z`)
}

function ietf08(ratelimit: string): Headers {
  return { 'ratelimit-policy': '"default";q=100;w=60, "day";q=50000;qu="tokens";w=86400', ratelimit }
}

function riot(app: string, method: string): Headers {
  return {
    'x-app-rate-limit': '20:1,100:120',
    'x-app-rate-limit-count': app,
    'x-method-rate-limit': '2000:10,12000:600',
    'x-method-rate-limit-count': method,
  }
}
