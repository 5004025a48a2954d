import { type Kysely, sql } from 'kysely'
import { limits } from './limits.ts'
import type { Schema } from './schema.ts'

/** Stands for a text, such as an id or a name, that the caller of a query binds. */
const bound = ''
/** Stands for a number likewise. */
const boundNumber = 0

/**
 * Every read of the port as typed SQL, compiled once per dialect with that dialect's `build`. Each takes the values
 * that its read is asked with, in their order, and each is a single statement, so that it sees one moment of the
 * database.
 */
export function queries(build: Kysely<Schema>) {
  const tree = build
    .selectFrom('payment_transaction as t')
    .innerJoin('tree', (join) => join.onRef('tree.id', '=', 't.root_id').onRef('tree.merchant', '=', 't.merchant'))
    .selectAll('t')
    .select('tree.version')
    .orderBy((of) => of('t.id', '<>', of.ref('t.root_id')))
    .orderBy('t.id')

  // `c.id <> c.root_id` is the condition of the partial index, which holds every transaction but the roots.
  const rootOfChild = build
    .selectFrom('payment_transaction as c')
    .select('c.root_id')
    .where('c.id', '=', bound)
    .whereRef('c.id', '<>', 'c.root_id')

  const pageOfAccounts = build.selectFrom('account').where('id', '>', bound).orderBy('id').limit(boundNumber)
  const keysOfPage = pageOfAccounts.select(['id', 'key_id', 'fingerprint_key_id']).as('page')
  const accountKeysAfter = build
    .selectFrom(keysOfPage)
    .select(['key_id', 'fingerprint_key_id'])
    .select(({ fn }) => [fn.countAll<number>().as('accounts'), fn.max('id').as('last_id')])
    .groupBy(['key_id', 'fingerprint_key_id'])

  return {
    treeOfRoot: tree.where('t.root_id', '=', bound).compile().sql,
    treeOfChild: tree.where('t.root_id', '=', rootOfChild).compile().sql,
    account: build.selectFrom('account').selectAll().where('id', '=', bound).compile().sql,
    accountsAfter: pageOfAccounts.selectAll().compile().sql,
    accountKeysAfter: accountKeysAfter.compile().sql,
    registration: build.selectFrom('registration').selectAll().where('id', '=', bound).compile().sql,
    idempotencyKey: build.selectFrom('idempotency_key').selectAll().where('id', '=', bound).compile().sql,
    velocity: build
      .selectFrom('velocity')
      .selectAll()
      .where('counter', '=', bound)
      .where('merchant', '=', bound)
      .where('created_at_ms', '>=', boundNumber)
      .orderBy('created_at_ms', 'desc')
      .orderBy('id', 'desc')
      .limit(sql.lit(limits.velocityRows))
      .compile().sql,
    installation: build.selectFrom('installation').selectAll().where('name', '=', bound).compile().sql,
    entities: build.selectFrom('entity').selectAll().orderBy('id').compile().sql,
    riskRules: build.selectFrom('risk_rules').selectAll().orderBy('entity_id').compile().sql,
    accessTokens: build.selectFrom('access_token').selectAll().orderBy('id').compile().sql,
  }
}
