/** The statement with PostgreSQL's numbered parameters, `$1` and so on, in place of each `?`. */
export function numbered(sql: string): string {
  let number = 0
  return sql.replaceAll('?', () => `$${(number += 1)}`)
}
