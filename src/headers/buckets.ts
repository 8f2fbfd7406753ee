import type { BucketRequest } from './dialect.ts'

/** GitHub keeps code search, search and GraphQL apart from everything else; an enterprise server has `/api/v3` or `/api` before them. */
export function githubBucket({ path }: BucketRequest): string {
  const parts = path.split('/', 5).filter((part) => part !== '' && part !== 'api' && part !== 'v3')
  if (parts[0] === 'graphql') return 'graphql'
  if (parts[0] !== 'search') return 'core'
  return parts[1] === 'code' ? 'code_search' : 'search'
}

/** Resources that Discord keeps apart, each by the id that follows: `/channels/155101607195836416`. */
const MAJOR = ['channels', 'guilds', 'webhooks']

/** Parts of a path that are looked at. */
const MAX_PARTS = 16

/** Discord counts by method and route, and for each channel, guild and webhook; other ids, emoji and tokens of interactions make no difference. */
export function discordBucket({ method, path }: BucketRequest): string {
  const parts = path.split('/', MAX_PARTS)
  const reactions = parts.indexOf('reactions')
  const route = reactions < 0 ? parts : [...parts.slice(0, reactions + 1), ':reaction']
  return `${method} ${route.map((part, index) => (isInterchangeable(route, index) ? ':id' : part)).join('/')}`
}

function isInterchangeable(route: readonly string[], index: number): boolean {
  if (route[index - 2] === 'interactions') return true
  return isSnowflake(route[index]!) && !isMajor(route, index)
}

/** The first of them in a path counts: `/guilds/1/channels/2` is one of guild 1. */
function isMajor(route: readonly string[], index: number): boolean {
  const earlier = route.slice(0, index - 1).some((part) => MAJOR.includes(part))
  return !earlier && MAJOR.some((major) => major === route[index - 1])
}

/** Discord's ids: 15 to 20 digits. */
function isSnowflake(part: string): boolean {
  return part.length >= 15 && part.length <= 20 && !Number.isNaN(Number(part))
}
