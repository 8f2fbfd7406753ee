import { counts } from '../counts.ts'
import type { Family } from '../family.ts'
import { structured } from './structured.ts'

/** The same four headers under every spelling that is about. Of two that tell as much, the first is believed. */
export const common: readonly Family[] = [
  structured,
  counts(
    {
      limit: 'x-ratelimit-limit',
      remaining: 'x-ratelimit-remaining',
      used: 'x-ratelimit-used',
      reset: 'x-ratelimit-reset',
      resetAfter: 'x-ratelimit-reset-after',
      window: 'x-ratelimit-period',
      called: 'x-ratelimit-resource',
      bucket: 'x-ratelimit-bucket',
      type: 'x-ratelimit-type',
      label: 'x-ratelimit-name',
    },
    { common: true, resetsAtRetry: true },
  ),
  counts(
    {
      limit: 'ratelimit-limit',
      remaining: 'ratelimit-remaining',
      used: 'ratelimit-observed',
      reset: 'ratelimit-reset',
      policy: 'ratelimit-policy',
      called: 'ratelimit-name',
    },
    { common: true },
  ),
  counts(
    {
      limit: 'x-rate-limit-limit',
      remaining: 'x-rate-limit-remaining',
      used: 'x-rate-limit-used',
      reset: 'x-rate-limit-reset',
    },
    { common: true },
  ),
  counts(
    {
      limit: 'rate-limit-limit',
      remaining: 'rate-limit-remaining',
      used: 'rate-limit-used',
      reset: 'rate-limit-reset',
    },
    { common: true },
  ),
]
