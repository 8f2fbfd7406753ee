import { counts } from '../counts.ts'
import { type Family, type Get, stated } from '../family.ts'
import { readUnsigned } from '../numbers.ts'
import { maxWaitMs } from '../waits.ts'
import { windowMsOf } from './named.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../spans.ts'

/** Counts under names that one vendor alone uses. */
export const vendors: readonly Family[] = [
  // HubSpot
  counts(
    {
      limit: 'x-hubspot-ratelimit-max',
      remaining: 'x-hubspot-ratelimit-remaining',
      window: 'x-hubspot-ratelimit-interval-milliseconds',
    },
    { name: 'interval', windowUnit: 'milliseconds' },
  ),
  counts(
    { limit: 'x-hubspot-ratelimit-daily', remaining: 'x-hubspot-ratelimit-daily-remaining' },
    { name: 'daily', windowMs: DAY },
  ),
  counts(
    { limit: 'x-hubspot-ratelimit-secondly', remaining: 'x-hubspot-ratelimit-secondly-remaining' },
    { name: 'secondly', windowMs: SECOND },
  ),
  // Imgur
  counts(
    { limit: 'x-ratelimit-userlimit', remaining: 'x-ratelimit-userremaining', reset: 'x-ratelimit-userreset' },
    { name: 'user' },
  ),
  counts({ limit: 'x-ratelimit-clientlimit', remaining: 'x-ratelimit-clientremaining' }, { name: 'client' }),
  counts(
    { limit: 'x-post-rate-limit-limit', remaining: 'x-post-rate-limit-remaining', reset: 'x-post-rate-limit-reset' },
    { name: 'post', unit: 'posts' },
  ),
  // Exchanges. Binance counts weight and orders, by interval
  counts({ used: 'x-mbx-used-weight-*' }, { of: (interval) => binance('used-weight', interval) }),
  counts(
    { used: 'x-mbx-order-count-*' },
    { of: (interval) => ({ ...binance('order-count', interval), unit: 'orders' }) },
  ),
  counts({ used: 'x-sapi-used-ip-weight-*' }, { of: (interval) => binance('ip-weight', interval) }),
  counts({ used: 'x-sapi-used-uid-weight-*' }, { of: (interval) => binance('uid-weight', interval) }),
  counts({ limit: 'x-bapi-limit', remaining: 'x-bapi-limit-status', reset: 'x-bapi-limit-reset-timestamp' }),
  counts(
    { limit: 'gw-ratelimit-limit', remaining: 'gw-ratelimit-remaining', reset: 'gw-ratelimit-reset' },
    { resetUnit: 'milliseconds' },
  ),
  // Feishu and Lark
  counts({ limit: 'x-ogw-ratelimit-limit', remaining: 'x-ogw-ratelimit-remaining', reset: 'x-ogw-ratelimit-reset' }),
  // Zendesk
  counts({ limit: 'x-rate-limit', remaining: 'x-rate-limit-remaining' }, { common: true }),
  // X: a day beside the quarter of an hour, and advertisements
  counts(
    {
      limit: 'x-user-limit-24hour-limit',
      remaining: 'x-user-limit-24hour-remaining',
      reset: 'x-user-limit-24hour-reset',
    },
    { name: 'user-day', windowMs: DAY },
  ),
  counts(
    { limit: 'x-app-limit-24hour-limit', remaining: 'x-app-limit-24hour-remaining', reset: 'x-app-limit-24hour-reset' },
    { name: 'app-day', windowMs: DAY },
  ),
  counts(
    {
      limit: 'x-account-rate-limit-limit',
      remaining: 'x-account-rate-limit-remaining',
      reset: 'x-account-rate-limit-reset',
    },
    { name: 'account' },
  ),
  // Sentry's own interface, and what Atlassian sends for information only
  counts(
    {
      limit: 'x-sentry-rate-limit-limit',
      remaining: 'x-sentry-rate-limit-remaining',
      reset: 'x-sentry-rate-limit-reset',
    },
    { kind: 'fixed' },
  ),
  {
    headers: {
      limit: 'x-beta-ratelimit-limit',
      remaining: 'x-beta-ratelimit-remaining',
      reset: 'x-beta-ratelimit-reset',
    },
    read: () => [],
  },
  // Xero
  counts({ remaining: 'x-appminlimit-remaining' }, { name: 'app-minute', windowMs: MINUTE }),
  counts({ remaining: 'x-minlimit-remaining' }, { name: 'minute', windowMs: MINUTE }),
  counts({ remaining: 'x-daylimit-remaining' }, { name: 'day', windowMs: DAY }),
  // Exact Online
  counts(
    {
      limit: 'x-ratelimit-minutely-limit',
      remaining: 'x-ratelimit-minutely-remaining',
      reset: 'x-ratelimit-minutely-reset',
    },
    { name: 'minutely', windowMs: MINUTE },
  ),
  contentful(),
  sellingPartner(),
]

function binance(name: string, interval: string) {
  return { name: `${name}-${interval}`, windowMs: windowMsOf(interval) }
}

/** Contentful's one reset belongs to its limit by the hour where that is used up, else to the one by the second. */
function contentful(): Family {
  const second = counts({}, { name: 'second', windowMs: SECOND })
  const hour = counts({}, { name: 'hour', windowMs: HOUR })
  return {
    headers: {
      secondLimit: 'x-contentful-ratelimit-second-limit',
      secondRemaining: 'x-contentful-ratelimit-second-remaining',
      hourLimit: 'x-contentful-ratelimit-hour-limit',
      hourRemaining: 'x-contentful-ratelimit-hour-remaining',
      reset: 'x-contentful-ratelimit-reset',
    },
    read: (get, context) => {
      const reset = get('reset')
      const isHourSpent = get('hourRemaining') === '0'
      const bySecond = { limit: get('secondLimit'), remaining: get('secondRemaining'), ...(!isHourSpent && { reset }) }
      const byHour = { limit: get('hourLimit'), remaining: get('hourRemaining'), ...(isHourSpent && { reset }) }
      return [...second.read(from(bySecond), context), ...hour.read(from(byHour), context)]
    },
  }
}

function from(texts: Readonly<Record<string, string | undefined>>): Get {
  return (field) => texts[field]
}

/** Amazon's Selling Partner API states a rate per second, as little as one request in three minutes, and not the burst that it allows. */
function sellingPartner(): Family {
  return {
    headers: { rate: 'x-amzn-ratelimit-limit' },
    read: (get) => {
      const perSecond = readUnsigned(get('rate')) ?? 0
      const limit = Math.max(1, perSecond)
      const windowMs = Math.ceil((limit / perSecond) * SECOND)
      return windowMs <= maxWaitMs ? [stated({ limit, windowMs })] : []
    },
  }
}
