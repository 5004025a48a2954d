import { type Kysely, sql } from 'kysely'
import { bound, boundNumber, isListed } from '../queries.ts'
import type { Schema } from '../schema.ts'
import { columnNames } from '../tables.ts'

/**
 * The rows that one step of a walk finds, whose end is not known yet: of each kind the newest among so many entries of
 * its index. Where enough is found nothing else has to be looked at. Values: below what, from what on, those of the
 * filter, at most; for registrations the merchant before all of them.
 */
export function rowQueries(build: Kysely<Schema>, walkEntries: number) {
  // One more than a step's share: the entry that says where it ends is part of it.
  const entries = build.selectFrom('payment_transaction').limit(sql.lit(walkEntries + 1))

  // Of the entries of all merchants the index alone is read. It has a root behind what belongs to it: of the last tree
  // the root may not be among them any more, and is found by what is.
  const keys = entries
    .select(['root_id', 'merchant'])
    .where('root_id', '<', bound)
    .where('root_id', '>=', bound)
    .orderBy('root_id', 'desc')
  const trees = build
    .selectFrom(keys.as('k'))
    .distinctOn('root_id')
    .select(['root_id', 'merchant'])
    .where('merchant', '=', bound)
    .orderBy('root_id', 'desc')
  const children = entries
    .select(columnNames('payment_transaction'))
    .whereRef('id', '<>', 'root_id')
    .where('id', '<', bound)
    .where('id', '>=', bound)
    .orderBy('id', 'desc')
  const registrations = entries
    .select(columnNames('payment_transaction'))
    .where('merchant', '=', bound)
    .where('type', '=', sql.lit('RG'))
    .where((of) => of(of.refTuple('created_at_ms', 'id'), '<', of.tuple(boundNumber, bound)))
    .where((of) => of(of.refTuple('created_at_ms', 'id'), '>=', of.tuple(boundNumber, bound)))
    .orderBy('created_at_ms', 'desc')
    .orderBy('id', 'desc')
  return {
    rootRowsBefore: build
      .selectFrom(trees.as('k'))
      .innerJoin('payment_transaction as t', (join) =>
        join
          .onRef('t.root_id', '=', 'k.root_id')
          .onRef('t.id', '=', 'k.root_id')
          .onRef('t.merchant', '=', 'k.merchant'),
      )
      .select(columnNames('payment_transaction').map((name) => `t.${name}` as const))
      .where('t.channel', 'like', bound)
      .where(isListed(sql`t.type`))
      .where(isListed(sql`coalesce(t.method, '')`))
      .where('t.type', '<>', sql.lit('RG'))
      .orderBy('k.root_id', 'desc')
      .limit(boundNumber)
      .compile().sql,
    childRowsBefore: build
      .selectFrom(children.as('t'))
      .select(columnNames('payment_transaction'))
      .where('merchant', '=', bound)
      .where('channel', 'like', bound)
      .where(isListed(sql`type`))
      .where(isListed(sql`coalesce(method, '')`))
      .orderBy('id', 'desc')
      .limit(boundNumber)
      .compile().sql,
    registrationRowsBefore: build
      .selectFrom(registrations.as('t'))
      .select(columnNames('payment_transaction'))
      .where('merchant', '=', bound)
      .where('channel', 'like', bound)
      .where(isListed(sql`type`))
      .where(isListed(sql`coalesce(method, '')`))
      .orderBy('created_at_ms', 'desc')
      .orderBy('id', 'desc')
      .limit(boundNumber)
      .compile().sql,
  }
}
