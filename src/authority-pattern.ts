/** Whether this is `host`, `host:port` or `*.example.com`. A wildcard stands for any port. */
export function isPattern(pattern: string): boolean {
  const isWildcard = pattern.startsWith('*.')
  const text = isWildcard ? pattern.slice(2) : pattern
  if (text === '' || /[/?#@\s*]|:$/.test(text) || (isWildcard && /:\d+$/.test(text))) return false
  return URL.canParse(`http://${text}`)
}

/** Patterns that match the same authorities are spelt the same. Throws for what is no pattern. */
export function spellPattern(pattern: string): string {
  if (pattern.startsWith('*.')) return `*.${spellHost(pattern.slice(2))}`
  const [, host = '', port = ''] = /^(.*?)(:\d+)?$/.exec(pattern) ?? []
  return spellHost(host) + (port && `:${Number(port.slice(1))}`)
}

/** As a request's URL spells it: lower case, names of other scripts in ASCII, addresses in their short form. */
function spellHost(host: string): string {
  return new URL(`http://${host}`).hostname
}
