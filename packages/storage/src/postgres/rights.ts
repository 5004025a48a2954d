import { StorageError } from '../storage-error.ts'
import { tableNames } from '../tables.ts'
import type { Connection } from './database.ts'

const all = ['SELECT', 'INSERT', 'UPDATE', 'DELETE']

/** The rights that the gateway needs on each table; no DELETE on transactions, which are never removed. */
const rights: readonly (readonly [table: string, rights: readonly string[]])[] = [
  ...tableNames.map((name): [string, readonly string[]] => [
    name,
    name === 'payment_transaction' ? ['SELECT', 'INSERT', 'UPDATE'] : all,
  ]),
  ['child_transaction', ['SELECT']],
  ['archived_payment_transaction', ['SELECT']],
  ['commit_reply', all],
  ['watched_table', ['SELECT', 'UPDATE']],
]

/**
 * Checks at the start that the user has all rights, so that no statement of a payment is refused later.
 * @throws StorageError `unavailable`; the message names the user and the missing rights
 */
export async function checkRights({ query }: Connection): Promise<void> {
  const needed = rights.flatMap(([table, names]) => names.map((right) => `('${table}', '${right}')`))
  const lacking = await query<{ table: string; right: string; user: string }>(
    `SELECT *, quote_ident(current_user) AS "user" FROM (VALUES ${needed.join()}) AS needed ("table", "right")
      WHERE has_table_privilege(to_regclass("table"), "right") IS NOT TRUE ORDER BY "table"`,
  )
  const [first] = lacking
  if (!first) return
  const more = lacking.length === 1 ? '' : ` and ${lacking.length - 1} other rights`
  throw new StorageError(
    'unavailable',
    `the user ${first.user} lacks ${first.right} on ${first.table}${more}; ` +
      `run GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${first.user}`,
  )
}
