import { splitOnce } from './text.ts'

/** Members of one header that are looked at; further ones are ignored. */
const maxMembers = 16
/** Parameters of one member that are looked at; further ones are ignored. */
const maxParameters = 16

/** One member of a list header: `100;w=60` has the value `100` and the parameter `w`. */
export interface Member {
  value: string
  /** By lower-case name, quotes removed; the first of a name counts. A parameter without a value has ''. */
  parameters: ReadonlyMap<string, string>
}

/**
 * The members of a list header, parameters included, in the manner of RFC 9110 section 5.6 and of structured fields
 * (RFC 9651), but lenient. Commas and semicolons inside quotes separate nothing. At most 16 members of 16 parameters.
 */
export function readMembers(text = ''): readonly Member[] {
  return splitUnquoted(text, ',', maxMembers).map(readMember)
}

function readMember(text: string): Member {
  const [value, ...rest] = splitUnquoted(text, ';', maxParameters + 1)
  const parameters = new Map<string, string>()
  for (const parameter of rest) {
    const [before, after] = splitOnce(parameter, '=')
    const name = before.trim().toLowerCase()
    if (!parameters.has(name)) parameters.set(name, unquote(after.trim()))
  }
  return { value: value!, parameters }
}

/** The first `most` parts, trimmed. One pass; an open quote runs to the end. */
function splitUnquoted(text: string, separator: string, most: number): string[] {
  const parts: string[] = []
  let start = 0
  let isQuoted = false
  for (let at = 0; at < text.length && parts.length < most; at++) {
    const char = text.charAt(at)
    if (isQuoted && char === '\\') at++
    else if (char === '"') isQuoted = !isQuoted
    else if (char === separator && !isQuoted) {
      parts.push(text.slice(start, at).trim())
      start = at + 1
    }
  }
  if (parts.length < most) parts.push(text.slice(start).trim())
  return parts
}

/** Without the quotes around it. Escapes inside them stay as they are: no value that is read here has any. */
export function unquote(text: string): string {
  const isQuoted = text.length >= 2 && text.startsWith('"') && text.endsWith('"')
  return isQuoted ? text.slice(1, -1) : text
}
