import type { Spread } from './statistics.ts'

/** The cells of a line of a table. */
export type Line = readonly string[]

/** Formats lines as columns of the width of their widest cell. Columns that end with a number are aligned right. */
export function table(lines: readonly Line[]): string {
  const columns = (lines[0] ?? []).map((_, column) => {
    const cells = lines.map((line) => line[column] ?? '')
    return {
      width: Math.max(...cells.map(({ length }) => length)),
      isNumeric: /^[\d.]+( \w+)?$/.test(cells.at(-1) ?? ''),
    }
  })
  return lines
    .map((line) =>
      columns
        .map(({ width, isNumeric }, column) =>
          isNumeric ? (line[column] ?? '').padStart(width) : (line[column] ?? '').padEnd(width),
        )
        .join('   ')
        .trimEnd(),
    )
    .join('\n')
}

/** The median and the range of a spread. */
export function spreadText({ median, min, max }: Spread): string {
  return `${fixed(median, 2)} (${fixed(min, 2)} to ${fixed(max, 2)})`
}

/** A number with this number of decimals. */
export function fixed(value: number, digits: number): string {
  return value.toFixed(digits)
}

/** A number with a comma between thousands. */
export function grouped(value: number): string {
  return value.toLocaleString('en-GB')
}
