/** Rows by peer and by column, in the order in which they first come. Cells that nobody has are empty. */
export function pivot<Row extends { peer: string }>(
  rows: readonly Row[],
  columnOf: (row: Row) => string,
  cellOf: (row: Row) => string,
): { columns: string[]; body: [peer: string, cells: string[]][] } {
  const columns = [...new Set(rows.map(columnOf))]
  const peers = [...new Set(rows.map(({ peer }) => peer))]
  const body = peers.map((peer): [string, string[]] => {
    const own = rows.filter((row) => row.peer === peer)
    const cellIn = (column: string): string => own.filter((row) => columnOf(row) === column).map(cellOf)[0] ?? ''
    return [peer, columns.map(cellIn)]
  })
  return { columns, body }
}
