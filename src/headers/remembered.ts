/** `read` of a text, worked out once for each of the first `most` texts. */
export function remembered(most: number, read: (text: string) => boolean): (text: string) => boolean {
  const known = new Map<string, boolean>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    const value = read(text)
    if (known.size < most) known.set(text, value)
    return value
  }
}
