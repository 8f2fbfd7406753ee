import { discordBucket, githubBucket } from './buckets.ts'
import type { Dialect } from './dialect.ts'
import { DAY, HOUR, MINUTE, SECOND } from './spans.ts'

const WHEN_TOLD = 'when-told'
const ALWAYS = 'always'

/** Two windows are told apart by their names where the upstream names them so. */
const PER_MINUTE = { requests: MINUTE, tokens: MINUTE, tokens_usage_based: MINUTE }

/** One that is known by its name. */
export interface NamedDialect extends Dialect {
  /** Headers that this upstream alone sends: `auto` knows it by them. Lower case. */
  signs?: readonly string[]
}

/**
 * What is known of upstreams that their headers do not say, each from its public documentation. One that is empty needs no more than its
 * headers and the standard statuses.
 */
export const DIALECTS = {
  akamai: {
    limits: [{ limit: 'x-ratelimit-limit', remaining: 'x-ratelimit-remaining', reset: 'x-ratelimit-next' }],
  },
  'amazon-sp-api': {},
  anthropic: {
    windowMs: { requests: MINUTE, tokens: MINUTE, 'input-tokens': MINUTE, 'output-tokens': MINUTE },
    throttles: { 529: ALWAYS },
    signs: ['anthropic-organization-id'],
  },
  auth0: {},
  'azure-openai': { windowMs: PER_MINUTE },
  'azure-resource-manager': { windowMs: HOUR },
  basecamp: { kind: 'fixed' },
  binance: { kind: 'fixed', throttles: { 418: ALWAYS } },
  bybit: { windowMs: SECOND, throttles: { 403: ALWAYS } },
  cloudflare: { windowMs: { default: 5 * MINUTE } },
  contentful: { kind: 'fixed' },
  'crates-io': {},
  datadog: { kind: 'fixed' },
  digitalocean: { windowMs: HOUR },
  discord: { kind: 'fixed', bucket: discordBucket },
  'docker-hub': { windowMs: MINUTE },
  'docker-registry': { windowMs: 6 * HOUR, signs: ['docker-ratelimit-source'] },
  envoy: {},
  'exact-online': { kind: 'fixed', windowMs: DAY },
  'express-rate-limit': { kind: 'fixed' },
  fastify: { kind: 'fixed', throttles: { 403: WHEN_TOLD } },
  fastly: { limit: 1_000, windowMs: HOUR, kind: 'fixed', signs: ['fastly-ratelimit-remaining'] },
  figma: {},
  'flask-limiter': {},
  github: {
    kind: 'fixed',
    windowMs: { core: HOUR, graphql: HOUR, search: MINUTE, code_search: MINUTE, '': HOUR },
    throttles: { 403: WHEN_TOLD },
    bucket: githubBucket,
    signs: ['x-github-request-id'],
  },
  gitlab: { kind: 'fixed', windowMs: MINUTE, signs: ['x-gitlab-meta'] },
  groq: { windowMs: { requests: DAY, tokens: MINUTE }, throttles: { 498: ALWAYS } },
  heroku: { limit: 4_500, windowMs: HOUR },
  hetzner: { windowMs: HOUR },
  hubspot: { throttles: { 423: ALWAYS, 477: ALWAYS }, signs: ['x-hubspot-correlation-id'] },
  imgur: { kind: 'fixed', windowMs: { user: HOUR, client: DAY }, units: { user: 'credits', client: 'credits' } },
  jira: { signs: ['x-arequestid'] },
  kong: {},
  kubernetes: {},
  kucoin: { kind: 'fixed', windowMs: 30 * SECOND, units: { '': 'weight' } },
  laravel: { kind: 'fixed', windowMs: MINUTE },
  linear: {
    windowMs: HOUR,
    throttles: { 400: WHEN_TOLD },
    cost: { complexity: 'x-complexity' },
  },
  mastodon: { kind: 'fixed' },
  meta: { windowMs: HOUR, throttles: { 400: WHEN_TOLD, 403: WHEN_TOLD } },
  'microsoft-graph': { cost: { 'resource-units': 'x-ms-resource-unit' } },
  nginx: { throttles: { 503: ALWAYS } },
  notion: { throttles: { 529: ALWAYS } },
  okta: { kind: 'fixed', windowMs: MINUTE, signs: ['x-okta-request-id'] },
  // Of requests some accounts have so many a minute and others so many a day.
  openai: { windowMs: { tokens: MINUTE, tokens_usage_based: MINUTE } },
  prisjakt: { kind: 'fixed', windowMs: HOUR, resetUnit: 'milliseconds' },
  pypi: {},
  reddit: { kind: 'fixed', windowMs: 10 * MINUTE },
  riot: { kind: 'fixed', signs: ['x-riot-edge-trace-id'] },
  salesforce: { windowMs: DAY, throttles: { 403: WHEN_TOLD } },
  sendgrid: { kind: 'fixed' },
  sentry: {},
  sharepoint: { windowMs: MINUTE, throttles: { 503: ALWAYS } },
  shopify: { windowMs: 20 * SECOND, throttles: { 423: ALWAYS } },
  slack: { signs: ['x-slack-req-id'] },
  spotify: {},
  strava: { kind: 'fixed' },
  stripe: { signs: ['stripe-version'] },
  symfony: {},
  'tower-governor': {},
  twitch: { windowMs: MINUTE, signs: ['twitch-trace-id'] },
  upstash: {},
  x: { kind: 'fixed', windowMs: 15 * MINUTE },
  xero: { limit: { minute: 60, day: 5_000, 'app-minute': 10_000 } },
  zendesk: { kind: 'fixed', windowMs: MINUTE, signs: ['x-zendesk-request-id'] },
  zoom: { kind: 'fixed', windowMs: { 'Daily-limit': DAY, QPS: SECOND } },
} as const satisfies Record<string, NamedDialect>

export type DialectName = keyof typeof DIALECTS

/** Whose headers they are is not known. */
export const NOTHING_KNOWN: Dialect = {}

/** What is known without asking the headers. */
export function dialectOf(dialect: 'auto' | DialectName | Dialect = 'auto'): Dialect {
  if (typeof dialect === 'object') return dialect
  return dialect === 'auto' ? NOTHING_KNOWN : (DIALECTS as Readonly<Record<DialectName, Dialect>>)[dialect]
}
