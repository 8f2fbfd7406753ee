import { expect, test } from 'vitest'
import { discordBucket, githubBucket } from '../../src/headers/buckets.ts'

test.each([
  ['/repos/a/b', 'core'],
  ['/search/issues', 'search'],
  ['/search/code', 'code_search'],
  ['/graphql', 'graphql'],
  ['/api/v3/search/users', 'search'],
  ['/api/graphql', 'graphql'],
  ['/', 'core'],
  ['/repos/o/r/contents/src/search/code.ts', 'core'],
  ['/repos/o/graphql', 'core'],
])('GitHub counts %s as %s', (path, bucket) => expect(githubBucket({ method: 'GET', path })).toBe(bucket))

const id = (digit: number) => String(digit).repeat(18)

test.each([
  [`/api/v10/channels/${id(1)}/messages/${id(2)}`, `GET /api/v10/channels/${id(1)}/messages/:id`],
  [`/guilds/${id(1)}/members/${id(2)}`, `GET /guilds/${id(1)}/members/:id`],
  [`/users/${id(1)}`, 'GET /users/:id'],
  [`/guilds/${id(1)}/channels/${id(2)}`, `GET /guilds/${id(1)}/channels/:id`],
  ['/gateway/bot', 'GET /gateway/bot'],
  ...[14, 15, 20, 21].map((digits): [string, string] => {
    const path = `/users/${'1'.repeat(digits)}`
    return [path, digits < 15 || digits > 20 ? `GET ${path}` : 'GET /users/:id']
  }),
  [id(1), 'GET :id'],
  ['reactions/a/b', 'GET reactions/:reaction'],
  [`/channels/${id(1)}/messages/${id(2)}/reactions/👍/@me`, `GET /channels/${id(1)}/messages/:id/reactions/:reaction`],
  [`/interactions/${id(1)}/aW50ZXJhY3Rpb24/callback`, 'GET /interactions/:id/:id/callback'],
])('Discord counts %s as %s', (path, bucket) => expect(discordBucket({ method: 'GET', path })).toBe(bucket))

test('Discord counts by method', () => {
  const path = `/channels/${id(1)}/messages`
  expect(discordBucket({ method: 'POST', path })).not.toBe(discordBucket({ method: 'GET', path }))
})

test('a path of any length is a bucket of a bounded number of parts', () => {
  expect(discordBucket({ method: 'GET', path: '/a'.repeat(10_000) }).length).toBeLessThan(100)
})
