import type { BucketRequest } from './dialect.ts'

/** GitHub keeps code search, search and GraphQL apart from everything else; an enterprise server has a prefix before the path. */
export function githubBucket({ path }: BucketRequest): string {
  if (path.includes('/search/code')) return 'code_search'
  if (path.includes('/search/')) return 'search'
  return path.endsWith('/graphql') ? 'graphql' : 'core'
}

/** Resources that Discord keeps buckets for apart, each with its id. */
const MAJOR = ['channels', 'guilds', 'webhooks']

/** Discord counts by method and route, and for each channel, guild and webhook; other ids make no difference. */
export function discordBucket({ method, path }: BucketRequest): string {
  const parts = path.split('/', 16)
  const route = parts.map((part, index) => (isId(part) && !isMajor(parts, index) ? ':id' : part))
  return `${method} ${route.join('/')}`
}

function isMajor(parts: readonly string[], index: number): boolean {
  const earlier = parts.slice(0, index - 1).some((part) => MAJOR.includes(part))
  return !earlier && MAJOR.includes(parts[index - 1] ?? '')
}

/** A snowflake: 15 to 20 digits. */
function isId(part: string): boolean {
  return part.length >= 15 && part.length <= 20 && !Number.isNaN(Number(part))
}
