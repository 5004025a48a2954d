/** The statement with PostgreSQL's marks of its values, `$1` and so on, in the place of each `?`. */
export function numbered(sql: string): string {
  let place = 0
  return sql.replaceAll('?', () => `$${(place += 1)}`)
}
