import { StorageError } from '../storage-error.ts'
import { tables } from '../tables.ts'
import type { Connection } from './database.ts'

const all = ['SELECT', 'INSERT', 'UPDATE', 'DELETE']

/** What is done to each table. Transactions are never removed: nobody needs the right to. */
const rights: readonly (readonly [table: string, rights: readonly string[]])[] = [
  ...Object.keys(tables).map((name): [string, readonly string[]] => [
    name,
    name === 'payment_transaction' ? ['SELECT', 'INSERT', 'UPDATE'] : all,
  ]),
  ['commit_reply', all],
  ['watched_table', ['SELECT', 'UPDATE']],
]

/**
 * Makes sure at the start that nothing will be refused later, in the middle of a payment.
 * @throws StorageError `unavailable` naming what the user lacks
 */
export async function checkRights({ query }: Connection): Promise<void> {
  const asked = rights.flatMap(([table, names]) => names.map((right) => `('${table}', '${right}')`))
  const lacking = await query<{ table: string; right: string }>(
    `SELECT * FROM (VALUES ${asked.join()}) AS needed ("table", "right")
      WHERE has_table_privilege(to_regclass("table"), "right") IS NOT TRUE ORDER BY "table"`,
  )
  const [first] = lacking
  if (!first) return
  const more = lacking.length === 1 ? '' : ` and ${lacking.length - 1} other rights`
  throw new StorageError(
    'unavailable',
    `its user lacks ${first.right} on ${first.table}${more}; ` +
      'GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public',
  )
}
