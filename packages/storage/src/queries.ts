import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import { limits } from './limits.ts'
import type { Schema } from './schema.ts'
import { columnNames } from './tables.ts'

/** Stands for a text, such as an id or a name, that the caller of a query binds. */
export const bound = ''
/** Stands for a number likewise. */
export const boundNumber = 0

/** Whether a code is in a list, which is bound as one text, `,DB,CP,`, so that a query has the same places always. */
export const isListed = (code: RawBuilder<unknown>) =>
  sql<SqlBool>`coalesce(nullif(${bound}, ''), ',' || ${code} || ',') like '%,' || ${code} || ',%'`

/** In what the dialects differ. */
export interface Dialect {
  /** The function that makes rows of a JSON list of texts, each in a column `value`. */
  readonly textsOf: string
  /** The one that makes rows of a JSON list of lists. */
  readonly listsOf: string
  /** Entries of an index that one step of a walk looks at. */
  readonly walkEntries: number
}

/**
 * Every read of the port as typed SQL, compiled once per dialect with that dialect's `build`. Each takes the values
 * that its read is asked with, in their order, and each is a single statement, so that it sees one moment of the
 * database. Columns are named: one that a later program has added is not ours to read, and it would change what a
 * statement gives back that the server keeps parsed, which the server refuses.
 */
export function queries(build: Kysely<Schema>, { textsOf, listsOf, walkEntries }: Dialect) {
  const ofTransaction = columnNames('payment_transaction').map((name) => `t.${name}` as const)
  const tree = build
    .selectFrom('payment_transaction as t')
    .innerJoin('tree', (join) => join.onRef('tree.id', '=', 't.root_id').onRef('tree.merchant', '=', 't.merchant'))
    .select(ofTransaction)
    .select('tree.version')
    .orderBy((of) => of('t.id', '<>', of.ref('t.root_id')))
    .orderBy('t.id')

  // `c.id <> c.root_id` is the condition of the partial index, which holds every transaction but the roots.
  const rootOfChild = build
    .selectFrom('payment_transaction as c')
    .select('c.root_id')
    .where('c.id', '=', bound)
    .whereRef('c.id', '<>', 'c.root_id')

  // A list is one JSON text, so that a statement has the same places however many there are.
  const idsBound = sql<string>`(select value from ${sql.raw(textsOf)}(${bound}))`

  const pageOfAccounts = build.selectFrom('account').where('id', '>', bound).orderBy('id').limit(boundNumber)
  const keysOfPage = pageOfAccounts.select(['id', 'key_id', 'fingerprint_key_id']).as('page')
  const accountKeysAfter = build
    .selectFrom(keysOfPage)
    .select(['key_id', 'fingerprint_key_id'])
    .select(({ fn }) => [fn.countAll<number>().as('accounts'), fn.max('id').as('last_id')])
    .groupBy(['key_id', 'fingerprint_key_id'])

  const found = build
    .selectFrom('payment_transaction')
    .where('merchant', '=', bound)
    .where('channel', 'like', bound)
    .where(isListed(sql`type`))
    .where(isListed(sql`coalesce(method, '')`))
  // Children are all but the roots, as in their partial index. A registration is a root whose id tells no time.
  const entry = build.selectFrom('payment_transaction').limit(sql.lit(1)).offset(sql.lit(walkEntries))
  const ofReference = build
    .selectFrom('payment_transaction')
    .where('merchant_transaction_id', '=', bound)
    .where('merchant', '=', bound)
    .orderBy('created_at_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(sql.lit(limits.referenceRows))

  const jobsOfLane = build.selectFrom('job').where('kind', '=', bound).where('lane', '=', bound)
  const waitingJobs = jobsOfLane.where('parked_at_ms', 'is', null).where('done_at_ms', 'is', null)
  const dueJobs = waitingJobs.where('due_at_ms', '<=', boundNumber)

  const dueOfLane = build
    .selectFrom('job')
    .select('id')
    .where('kind', '=', sql<string>`asked.value ->> 0`)
    .where('lane', '=', sql<string>`asked.value ->> 1`)
    .where('parked_at_ms', 'is', null)
    .where('done_at_ms', 'is', null)
    .where('due_at_ms', '<=', boundNumber)

  return {
    treeOfRoot: tree.where('t.root_id', '=', bound).compile().sql,
    treeOfChild: tree.where('t.root_id', '=', rootOfChild).compile().sql,
    account: build.selectFrom('account').select(columnNames('account')).where('id', '=', bound).compile().sql,
    accountsAfter: pageOfAccounts.select(columnNames('account')).compile().sql,
    accountKeysAfter: accountKeysAfter.compile().sql,
    registration: build.selectFrom('registration').select(columnNames('registration')).where('id', '=', bound).compile()
      .sql,
    lastUse: build
      .selectFrom('payment_transaction')
      .select('created_at_ms')
      .where('registration_id', '=', bound)
      .whereRef('id', '=', 'root_id')
      .where('status', '<>', sql.lit('NOK'))
      .orderBy('created_at_ms', 'desc')
      .limit(sql.lit(1))
      .compile().sql,
    expiredRegistrations: build
      .selectFrom('registration')
      .select(columnNames('registration'))
      .where('deleted_at_ms', 'is', null)
      .where('expires_at_ms', '<=', boundNumber)
      .orderBy('expires_at_ms')
      .orderBy('id')
      .limit(boundNumber)
      .compile().sql,
    byNetworkId: build
      .selectFrom('payment_transaction as t')
      .innerJoin('tree', (join) => join.onRef('tree.id', '=', 't.root_id').onRef('tree.merchant', '=', 't.merchant'))
      .select(ofTransaction)
      .select('tree.version')
      .where('t.network_transaction_id', '=', bound)
      .where('t.merchant', '=', bound)
      .orderBy('t.created_at_ms')
      .orderBy('t.id')
      .limit(sql.lit(1))
      .compile().sql,
    newestUnder: build
      .selectFrom('payment_transaction')
      .select(columnNames('payment_transaction'))
      .where('initial_transaction_id', '=', bound)
      .where('merchant', '=', bound)
      .orderBy('created_at_ms', 'desc')
      .orderBy('id', 'desc')
      .limit(boundNumber)
      .compile().sql,
    rootTransactions: build
      .selectFrom('payment_transaction')
      .select(columnNames('payment_transaction'))
      .where('root_id', 'in', idsBound)
      .whereRef('id', '=', 'root_id')
      .compile().sql,
    childTransactions: build
      .selectFrom('payment_transaction')
      .select(columnNames('payment_transaction'))
      .where('id', 'in', idsBound)
      .whereRef('id', '<>', 'root_id')
      .compile().sql,
    rootsBefore: found
      .select('id')
      .whereRef('id', '=', 'root_id')
      .where('type', '<>', sql.lit('RG'))
      .where('root_id', '<', bound)
      .where('root_id', '>=', bound)
      .compile().sql,
    rootEntry: entry
      .select('root_id as id')
      .where('root_id', '<', bound)
      .where('root_id', '>=', bound)
      .orderBy('root_id', 'desc')
      .compile().sql,
    childrenBefore: found
      .select('id')
      .whereRef('id', '<>', 'root_id')
      .where('id', '<', bound)
      .where('id', '>=', bound)
      .compile().sql,
    childEntry: entry
      .select('id')
      .whereRef('id', '<>', 'root_id')
      .where('id', '<', bound)
      .where('id', '>=', bound)
      .orderBy('id', 'desc')
      .compile().sql,
    registrationsBefore: found
      .select(['id', 'created_at_ms'])
      .where('type', '=', sql.lit('RG'))
      .where((of) => of(of.refTuple('created_at_ms', 'id'), '<', of.tuple(boundNumber, bound)))
      .where((of) => of(of.refTuple('created_at_ms', 'id'), '>=', of.tuple(boundNumber, bound)))
      .compile().sql,
    registrationEntry: entry
      .select(['id', 'created_at_ms'])
      .where('merchant', '=', bound)
      .where('type', '=', sql.lit('RG'))
      .where((of) => of(of.refTuple('created_at_ms', 'id'), '<', of.tuple(boundNumber, bound)))
      .where((of) => of(of.refTuple('created_at_ms', 'id'), '>=', of.tuple(boundNumber, bound)))
      .orderBy('created_at_ms', 'desc')
      .orderBy('id', 'desc')
      .compile().sql,
    ofReference: build
      .selectFrom(ofReference.select(columnNames('payment_transaction')).as('page'))
      .select(columnNames('payment_transaction'))
      .where('channel', 'like', bound)
      .where(isListed(sql`type`))
      .where(isListed(sql`coalesce(method, '')`))
      .limit(boundNumber)
      .compile().sql,
    idsOfReference: build
      .selectFrom(ofReference.select(['id', 'type', 'created_at_ms', 'channel', 'method']).as('page'))
      .select(['id', 'type', 'created_at_ms'])
      .where('channel', 'like', bound)
      .where(isListed(sql`type`))
      .where(isListed(sql`coalesce(method, '')`))
      .compile().sql,
    idempotencyKey: build
      .selectFrom('idempotency_key')
      .select(columnNames('idempotency_key'))
      .where('id', '=', bound)
      .compile().sql,
    velocity: build
      .selectFrom('velocity')
      .select(columnNames('velocity'))
      .where('counter', '=', bound)
      .where('merchant', '=', bound)
      .where('created_at_ms', '>=', boundNumber)
      .orderBy('created_at_ms', 'desc')
      .orderBy('id', 'desc')
      .limit(sql.lit(limits.velocityRows))
      .compile().sql,
    job: build.selectFrom('job').select(columnNames('job')).where('id', '=', bound).compile().sql,
    dueJobs: dueJobs.select(columnNames('job')).orderBy('due_at_ms').orderBy('id').limit(boundNumber).compile().sql,
    firstOfLine: waitingJobs
      .select(columnNames('job'))
      .where('line', '=', bound)
      .where('attempts', '<=', boundNumber)
      .orderBy('line_place')
      .orderBy('id')
      .limit(sql.lit(1))
      .compile().sql,
    dueLanes: build
      .selectFrom(sql<{ value: string }>`${sql.raw(listsOf)}(${bound})`.as('asked'))
      .select([sql<string>`asked.value ->> 0`.as('kind'), sql<string>`asked.value ->> 1`.as('lane')])
      .where((asked) => asked.exists(dueOfLane))
      .compile().sql,
    nextDue: waitingJobs.select('due_at_ms').orderBy('due_at_ms').limit(sql.lit(1)).compile().sql,
    countDue: build
      .selectFrom(dueJobs.select('id').limit(boundNumber).as('page'))
      .select(({ fn }) => fn.countAll<number>().as('jobs'))
      .compile().sql,
    oldestWaiting: build
      .selectFrom(waitingJobs.select('id').orderBy('due_at_ms').limit(boundNumber).as('page'))
      .select(({ fn }) => fn.min('id').as('id'))
      .compile().sql,
    countParked: build
      .selectFrom(
        build.selectFrom('job').select('kind').where('parked_at_ms', 'is not', null).limit(boundNumber).as('page'),
      )
      .select('kind')
      .select(({ fn }) => fn.countAll<number>().as('jobs'))
      .groupBy('kind')
      .compile().sql,
    jobsBefore: jobsOfLane
      .select(columnNames('job'))
      .where('id', '<', bound)
      .orderBy('id', 'desc')
      .limit(boundNumber)
      .compile().sql,
    parkedBefore: build
      .selectFrom('job')
      .select(columnNames('job'))
      .where('parked_at_ms', 'is not', null)
      .where('id', '<', bound)
      .orderBy('id', 'desc')
      .limit(boundNumber)
      .compile().sql,
    doneJobsBelow: build
      .selectFrom('job')
      .select(columnNames('job'))
      .where('id', '<', bound)
      .where('done_at_ms', 'is not', null)
      .orderBy('id')
      .limit(boundNumber)
      .compile().sql,
    event: build.selectFrom('event').select(columnNames('event')).where('id', '=', bound).compile().sql,
    eventsBetween: build
      .selectFrom('event')
      .select(columnNames('event'))
      .where('merchant', '=', bound)
      .where('id', '>=', bound)
      .where('id', '<=', bound)
      .orderBy('id')
      .limit(boundNumber)
      .compile().sql,
    eventsBelow: build
      .selectFrom('event')
      .select(columnNames('event'))
      .where('id', '<', bound)
      .orderBy('id')
      .limit(boundNumber)
      .compile().sql,
    attemptsOf: build
      .selectFrom('delivery_attempt')
      .select(columnNames('delivery_attempt'))
      .where('delivery_id', '=', bound)
      .orderBy('number')
      .compile().sql,
    webhooks: build.selectFrom('webhook').select(columnNames('webhook')).orderBy('id').compile().sql,
    webhookKeys: build.selectFrom('webhook_key').select(columnNames('webhook_key')).orderBy('id').compile().sql,
    schedule: build.selectFrom('schedule').select(columnNames('schedule')).where('id', '=', bound).compile().sql,
    scheduleChain: build
      .selectFrom('schedule')
      .select(columnNames('schedule'))
      .where('chain_id', '=', bound)
      .orderBy('id')
      .limit(boundNumber)
      .compile().sql,
    schedulesOf: build
      .selectFrom('schedule')
      .select(columnNames('schedule'))
      .where('registration_id', '=', bound)
      .orderBy('id')
      .limit(boundNumber)
      .compile().sql,
    checkout: build.selectFrom('checkout').select(columnNames('checkout')).where('id', '=', bound).compile().sql,
    checkoutsBefore: build
      .selectFrom('checkout')
      .select(columnNames('checkout'))
      .where('expires_at_ms', '<', boundNumber)
      .orderBy('expires_at_ms')
      .limit(boundNumber)
      .compile().sql,
    visit: build.selectFrom('visit').select(columnNames('visit')).where('id', '=', bound).compile().sql,
    visitsBefore: build
      .selectFrom('visit')
      .select(columnNames('visit'))
      .where('forgotten_at_ms', '<', boundNumber)
      .orderBy('forgotten_at_ms')
      .limit(boundNumber)
      .compile().sql,
    velocityBefore: build
      .selectFrom('velocity')
      .select(columnNames('velocity'))
      .where('created_at_ms', '<', boundNumber)
      .orderBy('created_at_ms')
      .limit(boundNumber)
      .compile().sql,
    installation: build
      .selectFrom('installation')
      .select(columnNames('installation'))
      .where('name', '=', bound)
      .compile().sql,
    entities: build.selectFrom('entity').select(columnNames('entity')).orderBy('id').compile().sql,
    riskRules: build.selectFrom('risk_rules').select(columnNames('risk_rules')).orderBy('entity_id').compile().sql,
    accessTokens: build.selectFrom('access_token').select(columnNames('access_token')).orderBy('id').compile().sql,
  }
}
