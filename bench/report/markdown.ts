/** A table whose columns are numbers, but for the first `texts`, default 1. Rows that are too short end in empty cells. */
export function table(head: readonly string[], rows: readonly (readonly string[])[], texts = 1): string {
  const rule = head.map((_, index) => (index < texts ? '---' : '--:'))
  const line = (cells: readonly string[]): string =>
    `| ${head.map((_, index) => escape(cells[index] ?? '')).join(' | ')} |`
  return [head, rule, ...rows].map(line).join('\n')
}

/** What is long and seldom wanted: folded away. */
export function folded(summary: string, body: string): string {
  return `<details><summary>${summary}</summary>\n\n${body}\n\n</details>`
}

export function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n')
}

/** Paragraphs, tables and headings, in this order. */
export function stack(...blocks: readonly string[]): string {
  return blocks.filter((block) => block !== '').join('\n\n')
}

function escape(cell: string): string {
  return cell.replaceAll('|', '\\|')
}
