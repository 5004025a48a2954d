/**
 * The cells of a line of CSV (RFC 4180, semicolons). A quoted cell may contain semicolons, line feeds and doubled
 * quotes.
 *
 * @returns the cells, or the offset of a misplaced quote
 */
export function splitCells(line: string): readonly string[] | number {
  if (!line.includes(QUOTE)) return line.split(SEPARATOR)
  const cells: string[] = []
  for (let start = 0; start <= line.length; ) {
    const end = endOfCell(line, start)
    const isQuoted = line.startsWith(QUOTE, start)
    if (end < line.length && line[end] !== SEPARATOR) return end
    if (isQuoted && end - start < 2) return start
    const cell = line.slice(start, end)
    if (!isQuoted && cell.includes(QUOTE)) return start + cell.indexOf(QUOTE)
    cells.push(isQuoted ? cell.slice(1, -1).replaceAll(QUOTE + QUOTE, QUOTE) : cell)
    start = end + 1
  }
  return cells
}

/** The offset after the cell that begins at `start`: after its closing quote, or at its separator. */
function endOfCell(line: string, start: number): number {
  if (!line.startsWith(QUOTE, start)) {
    const end = line.indexOf(SEPARATOR, start)
    return end < 0 ? line.length : end
  }
  let quote = line.indexOf(QUOTE, start + 1)
  while (quote >= 0 && line[quote + 1] === QUOTE) quote = line.indexOf(QUOTE, quote + 2)
  return quote < 0 ? start + 1 : quote + 1
}

/** The offset of the cell with this index, from 0, in a line that `splitCells` accepts. */
export function offsetOfCell(line: string, index: number): number {
  let start = 0
  for (let i = 0; i < index && start <= line.length; i++) start = endOfCell(line, start) + 1
  return Math.min(start, line.length)
}

/** Whether a line ends within quotes, so that the next line belongs to it: its number of quotes is odd. */
export function isOpen(line: string): boolean {
  let isOdd = false
  for (let quote = line.indexOf(QUOTE); quote >= 0; quote = line.indexOf(QUOTE, quote + 1)) isOdd = !isOdd
  return isOdd
}

/** Writes cells as a line without its end; quotes those that contain a separator, a quote or a line feed. */
export const joinCells = (cells: readonly string[]): string =>
  cells.map((cell) => (/[;"\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(SEPARATOR)

const QUOTE = '"'
const SEPARATOR = ';'
