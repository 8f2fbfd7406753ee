/** `read` of a text, worked out once for each of the first `most` texts. */
export function remembered<T>(most: number, read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined || known.has(text)) return before as T
    const value = read(text)
    if (known.size < most) known.set(text, value)
    return value
  }
}
