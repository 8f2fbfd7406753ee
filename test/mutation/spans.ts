/** Lines of one file, both ends included, counted from 1. */
export interface Span {
  file: string
  from: number
  to: number
}

/** What a diff without context (`git diff --unified=0`) adds or changes. */
export function spansOf(diff: string): Span[] {
  let file = ''
  return diff.split('\n').flatMap((line) => {
    if (line.startsWith('+++ b/')) file = line.slice('+++ b/'.length)
    const hunk = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line)
    const [from, count] = [Number(hunk?.[1]), Number(hunk?.[2] ?? 1)]
    return hunk && count > 0 ? [{ file, from, to: from + count - 1 }] : []
  })
}

/** The first `most` lines of these, and what is left of them. */
export function firstLines(spans: readonly Span[], most: number): { chosen: Span[]; left: Span[] } {
  const chosen: Span[] = []
  const left: Span[] = []
  for (const { file, from, to } of spans) {
    const end = Math.min(to, from + most - linesOf(chosen) - 1)
    if (end >= from) chosen.push({ file, from, to: end })
    if (end < to) left.push({ file, from: Math.max(from, end + 1), to })
  }
  return { chosen, left }
}

export function linesOf(spans: readonly Span[]): number {
  return spans.reduce((sum, { from, to }) => sum + to - from + 1, 0)
}
