import type { Fault } from '../fault.ts'
import { raw } from '../sites.ts'
import { whole } from '../../support/raw-server.ts'

const says =
  (status: string, ...headers: string[]) =>
  () =>
    raw((socket) => void socket.write(whole(status, 'okay', headers)))

/** Rate limit headers that say one thing and another, or too much. What waits on them waits no longer than the gate allows. */
export const tellings: Fault[] = [
  {
    name: 'a Retry-After twice, in contradiction',
    serve: says('429 Too Many Requests', 'retry-after: 1', 'retry-after: 2592000'),
    calls: 1,
    comesTo: [429, 'okay'],
  },
  {
    name: 'a Retry-After of a month',
    serve: says('429 Too Many Requests', 'retry-after: 2592000'),
    calls: 1,
    comesTo: [429, 'okay'],
  },
  {
    name: 'a Retry-After as a date and a number',
    serve: says('503 Service Unavailable', 'retry-after: Fri, 31 Dec 9999 23:59:59 GMT', 'retry-after: 0'),
    calls: 1,
    comesTo: [503, 'okay'],
  },
  {
    name: 'counts twice, in contradiction',
    serve: says(
      '200 OK',
      'x-ratelimit-limit: 100',
      'x-ratelimit-limit: 1',
      'x-ratelimit-remaining: 0',
      'x-ratelimit-remaining: 99',
      'x-ratelimit-reset: 999999999999',
      'x-ratelimit-reset: 1',
    ),
    calls: 1,
    comesTo: [200, 'okay'],
  },
  {
    name: 'counts of two dialects, in contradiction',
    serve: says(
      '200 OK',
      'x-ratelimit-limit: 100',
      'x-ratelimit-remaining: 99',
      'x-ratelimit-reset: 60',
      'ratelimit-policy: "a";q=1;w=3600',
      'ratelimit: "a";r=0;t=999999999999',
    ),
    calls: 1,
    comesTo: [200, 'okay'],
  },
  {
    name: 'more left than the limit, less than nothing, and no numbers',
    serve: says(
      '200 OK',
      'x-ratelimit-limit: -5',
      'x-ratelimit-remaining: 1e999',
      'x-ratelimit-reset: NaN',
      'retry-after: -1',
      'ratelimit-limit: 10',
      'ratelimit-remaining: 5000',
      'ratelimit-reset: Infinity',
    ),
    comesTo: [200, 'okay'],
  },
  {
    name: 'two dates and two ages',
    serve: says(
      '200 OK',
      'date: Thu, 01 Jan 1970 00:00:00 GMT',
      'date: soon',
      'age: 0',
      'age: -1',
      'ratelimit-limit: 100',
      'ratelimit-remaining: 50',
      'ratelimit-reset: 60',
    ),
    comesTo: [200, 'okay'],
  },
]
