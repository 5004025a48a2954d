import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import { limits } from './limits.ts'
import type { Schema } from './schema.ts'

/** Stands for a text, such as an id or a name, that the caller of a query binds. */
const bound = ''
/** Stands for a number likewise. */
const boundNumber = 0

/** Whether a code is in a list, which is bound as one text, `,DB,CP,`, so that a query has the same places always. */
const isListed = (code: RawBuilder<unknown>) =>
  sql<SqlBool>`coalesce(nullif(${bound}, ''), ',' || ${code} || ',') like '%,' || ${code} || ',%'`

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

  const found = build
    .selectFrom('payment_transaction')
    .where('merchant', '=', bound)
    .where('channel', 'like', bound)
    .where(isListed(sql`type`))
    .where(isListed(sql`coalesce(method, '')`))
  // Children are all but the roots, as in their partial index. A registration is a root whose id tells no time.
  const entry = build.selectFrom('payment_transaction').limit(sql.lit(1)).offset(sql.lit(limits.walkEntries))
  const ofReference = build
    .selectFrom('payment_transaction')
    .select(['id', 'merchant', 'channel', 'type', 'method', 'created_at_ms'])
    .where('merchant_transaction_id', '=', bound)
    .where('merchant', '=', bound)
    .orderBy('created_at_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(sql.lit(limits.referenceRows))

  const jobsOfLane = build.selectFrom('job').where('kind', '=', bound).where('lane', '=', bound)
  const waitingJobs = jobsOfLane.where('parked_at_ms', 'is', null).where('done_at_ms', 'is', null)
  const dueJobs = waitingJobs.where('due_at_ms', '<=', boundNumber)

  return {
    treeOfRoot: tree.where('t.root_id', '=', bound).compile().sql,
    treeOfChild: tree.where('t.root_id', '=', rootOfChild).compile().sql,
    account: build.selectFrom('account').selectAll().where('id', '=', bound).compile().sql,
    accountsAfter: pageOfAccounts.selectAll().compile().sql,
    accountKeysAfter: accountKeysAfter.compile().sql,
    registration: build.selectFrom('registration').selectAll().where('id', '=', bound).compile().sql,
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
      .selectAll()
      .where('deleted_at_ms', 'is', null)
      .where('expires_at_ms', '<=', boundNumber)
      .orderBy('expires_at_ms')
      .orderBy('id')
      .limit(boundNumber)
      .compile().sql,
    byNetworkId: build
      .selectFrom('payment_transaction as t')
      .innerJoin('tree', (join) => join.onRef('tree.id', '=', 't.root_id').onRef('tree.merchant', '=', 't.merchant'))
      .selectAll('t')
      .select('tree.version')
      .where('t.network_transaction_id', '=', bound)
      .where('t.merchant', '=', bound)
      .orderBy('t.created_at_ms')
      .orderBy('t.id')
      .limit(sql.lit(1))
      .compile().sql,
    newestUnder: build
      .selectFrom('payment_transaction')
      .selectAll()
      .where('initial_transaction_id', '=', bound)
      .where('merchant', '=', bound)
      .orderBy('created_at_ms', 'desc')
      .orderBy('id', 'desc')
      .limit(boundNumber)
      .compile().sql,
    rootTransaction: build
      .selectFrom('payment_transaction')
      .selectAll()
      .where('root_id', '=', bound)
      .where('id', '=', bound)
      .compile().sql,
    childTransaction: build
      .selectFrom('payment_transaction')
      .selectAll()
      .where('id', '=', bound)
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
      .selectFrom(ofReference.as('page'))
      .select(['id', 'type', 'created_at_ms'])
      .where('channel', 'like', bound)
      .where(isListed(sql`type`))
      .where(isListed(sql`coalesce(method, '')`))
      .compile().sql,
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
    job: build.selectFrom('job').selectAll().where('id', '=', bound).compile().sql,
    dueJobs: dueJobs.selectAll().orderBy('due_at_ms').orderBy('id').limit(boundNumber).compile().sql,
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
    jobsBefore: jobsOfLane.selectAll().where('id', '<', bound).orderBy('id', 'desc').limit(boundNumber).compile().sql,
    parkedBefore: build
      .selectFrom('job')
      .selectAll()
      .where('parked_at_ms', 'is not', null)
      .where('id', '<', bound)
      .orderBy('id', 'desc')
      .limit(boundNumber)
      .compile().sql,
    doneJobsBelow: build
      .selectFrom('job')
      .selectAll()
      .where('id', '<', bound)
      .where('done_at_ms', 'is not', null)
      .orderBy('id')
      .limit(boundNumber)
      .compile().sql,
    event: build.selectFrom('event').selectAll().where('id', '=', bound).compile().sql,
    eventsBetween: build
      .selectFrom('event')
      .selectAll()
      .where('merchant', '=', bound)
      .where('id', '>=', bound)
      .where('id', '<=', bound)
      .orderBy('id')
      .limit(boundNumber)
      .compile().sql,
    eventsBelow: build
      .selectFrom('event')
      .selectAll()
      .where('id', '<', bound)
      .orderBy('id')
      .limit(boundNumber)
      .compile().sql,
    attemptsOf: build
      .selectFrom('delivery_attempt')
      .selectAll()
      .where('delivery_id', '=', bound)
      .orderBy('number')
      .compile().sql,
    webhooks: build.selectFrom('webhook').selectAll().orderBy('id').compile().sql,
    webhookKeys: build.selectFrom('webhook_key').selectAll().orderBy('id').compile().sql,
    schedule: build.selectFrom('schedule').selectAll().where('id', '=', bound).compile().sql,
    scheduleChain: build
      .selectFrom('schedule')
      .selectAll()
      .where('chain_id', '=', bound)
      .orderBy('id')
      .limit(boundNumber)
      .compile().sql,
    schedulesOf: build
      .selectFrom('schedule')
      .selectAll()
      .where('registration_id', '=', bound)
      .orderBy('id')
      .limit(boundNumber)
      .compile().sql,
    velocityBefore: build
      .selectFrom('velocity')
      .selectAll()
      .where('created_at_ms', '<', boundNumber)
      .orderBy('created_at_ms')
      .limit(boundNumber)
      .compile().sql,
    installation: build.selectFrom('installation').selectAll().where('name', '=', bound).compile().sql,
    entities: build.selectFrom('entity').selectAll().orderBy('id').compile().sql,
    riskRules: build.selectFrom('risk_rules').selectAll().orderBy('entity_id').compile().sql,
    accessTokens: build.selectFrom('access_token').selectAll().orderBy('id').compile().sql,
  }
}
