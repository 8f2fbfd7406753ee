/** A name is a key, not prose: longer ones are cut or dropped. */
export const MAX_NAME_CHARS = 64

const CODE_0 = 48
const CODE_9 = 57

/** Whether `text` is one ASCII digit or more, and nothing else. */
export function isDigits(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < CODE_0 || code > CODE_9) return false
  }
  return text !== ''
}

/** What comes before the separator, and what after it: nothing where there is none. */
export function splitOnce(text: string, separator: string): readonly [before: string, after: string] {
  const at = `${text}${separator}`.indexOf(separator)
  return [text.slice(0, at), text.slice(at + separator.length)]
}

/**
 * Whether `text` has exactly the shape of `pattern`: `9` stands for an ASCII digit, `a` for an ASCII letter, any other
 * character for itself. One pass, no regular expression.
 */
export function fits(text: string, pattern: string): boolean {
  if (text.length !== pattern.length) return false
  for (let at = 0; at < pattern.length; at++) if (!charFits(text.charAt(at), pattern.charAt(at))) return false
  return true
}

function charFits(char: string, wanted: string): boolean {
  if (wanted === '9') return char >= '0' && char <= '9'
  if (wanted === 'a') return (char >= 'a' && char <= 'z') || (char >= 'A' && char <= 'Z')
  return char === wanted
}
