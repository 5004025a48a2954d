/** Replaces each `?` of a statement by PostgreSQL's numbered parameters `$1`, `$2` and so on. */
export function numberParameters(sql: string): string {
  let number = 0
  return sql.replaceAll('?', () => `$${(number += 1)}`)
}
