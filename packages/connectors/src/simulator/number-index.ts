import type { Secret } from '@tollgate/contract'

/**
 * Index of a table of test data by account number. A searched number is never converted to a string:
 * candidates are found by its first six and last four digits as one integer, then compared byte by byte.
 */
export function indexNumbers<Row extends { readonly number: string }>(
  rows: readonly Row[],
): (number: Secret) => Row | undefined {
  const index = new Map<number, { row: Row; digits: Buffer }[]>()
  for (const row of rows) {
    const digits = Buffer.from(row.number, 'ascii')
    const key = shownDigits(digits)
    index.set(key, [...(index.get(key) ?? []), { row, digits }])
  }
  return (number) =>
    number.use((bytes) => index.get(shownDigits(bytes))?.find(({ digits }) => digits.equals(bytes))?.row)
}

/**
 * The first six and the last four ASCII digits, which may be shown, as one integer. Other characters are allowed: the
 * integer is only a key, and need not be unique.
 */
function shownDigits(bytes: Uint8Array): number {
  let shown = 0
  for (let i = 0; i < bytes.length; i += 1) {
    if (i < 6 || i >= bytes.length - 4) shown = shown * 10 + (bytes[i] ?? 0) - 48
  }
  return shown
}
