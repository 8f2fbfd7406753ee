const ends = new Set<() => void>()

process.once('exit', () => ends.forEach((end) => end()))

/** Has `end` called when this process exits, however that comes about. Returns what takes it off again. */
export function atExit(end: () => void): () => void {
  const own = (): void => end()
  ends.add(own)
  return () => void ends.delete(own)
}
