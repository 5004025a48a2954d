import { type Kysely, sql } from 'kysely'
import { bound, boundNumber, isListed } from '../queries.ts'
import type { Schema } from '../schema.ts'
import { columnNames } from '../tables.ts'

/**
 * The rows that one step of a walk finds, whose end is known: of each kind the newest. Values: those of the filter,
 * below what, from what on, at most.
 */
export function rowQueries(build: Kysely<Schema>) {
  const found = build
    .selectFrom('payment_transaction')
    .select(columnNames('payment_transaction'))
    .where('merchant', '=', bound)
    .where('channel', 'like', bound)
    .where(isListed(sql`type`))
    .where(isListed(sql`coalesce(method, '')`))
    .limit(boundNumber)
  return {
    rootRowsBefore: found
      .whereRef('id', '=', 'root_id')
      .where('type', '<>', sql.lit('RG'))
      .where('root_id', '<', bound)
      .where('root_id', '>=', bound)
      .orderBy('root_id', 'desc')
      .compile().sql,
    childRowsBefore: found
      .whereRef('id', '<>', 'root_id')
      .where('id', '<', bound)
      .where('id', '>=', bound)
      .orderBy('id', 'desc')
      .compile().sql,
    registrationRowsBefore: found
      .where('type', '=', sql.lit('RG'))
      .where((of) => of(of.refTuple('created_at_ms', 'id'), '<', of.tuple(boundNumber, bound)))
      .where((of) => of(of.refTuple('created_at_ms', 'id'), '>=', of.tuple(boundNumber, bound)))
      .orderBy('created_at_ms', 'desc')
      .orderBy('id', 'desc')
      .compile().sql,
  }
}
