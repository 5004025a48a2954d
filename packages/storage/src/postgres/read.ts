import type {
  AccountKeys,
  QueueName,
  DeadLetteredJobs,
  RowStep,
  Storage,
  TransactionFilter,
  ScanStep,
} from '../port.ts'
import { foundOf, momentOf, newestFirst, type Positioned } from '../position.ts'
import { queries } from '../queries.ts'
import type {
  AccessTokenRow,
  AccountRow,
  CheckoutRow,
  DeliveryAttemptRow,
  EntityRow,
  EventRow,
  IdempotencyRow,
  JobRow,
  RegistrationRow,
  RiskRulesRow,
  ScheduleRow,
  TransactionRow,
  VelocityRow,
  SessionRow,
  WebhookKeyRow,
  WebhookRow,
} from '../schema.ts'
import { inTree, notAmong, type TreeOfRow, treeOfRows } from '../tree-of-rows.ts'
import { filterValues, foundById, foundRegistration, reachedBy, rowStep } from '../walk.ts'
import { compileOnly, dialect } from './compile-only.ts'
import { openPool, type SqlValue } from './database.ts'
import { harmless } from './faults.ts'
import { type Changes, listenTo } from './listen.ts'
import { retryReads } from './retry-reads.ts'
import { rowQueries } from './row-queries.ts'
import { takeJobs } from './take-jobs.ts'
import { messagesChannel } from './watched.ts'

const aboutOthers = {
  changes: 'SELECT name, changes FROM watched_table',
  publish: `SELECT pg_notify('${messagesChannel}', $1)`,
}

type Ordered = Pick<TransactionRow, 'id'>
type Timed = Pick<TransactionRow, 'id' | 'created_at_ms'>

/** The reading half of the port. */
type PostgresReader = Omit<Storage, 'commit' | 'depth' | 'totals' | 'isReachable'>

/**
 * Reads over a few connections of their own, which are opened as they are needed. Whoever was told of a commit finds
 * it, as it was complete before its answer.
 * Every read throws a StorageError `unavailable` when it fails; one whose connection was lost waits for another one.
 *
 * @param walkEntries how many entries of an index one step of a walk looks at
 */
export function postgresReader(url: string, walkEntries = dialect.walkEntries): PostgresReader {
  const pool = openPool(url)
  const build = compileOnly()
  const text = {
    ...queries(build, { ...dialect, walkEntries }),
    ...rowQueries(build, walkEntries),
    takeJobs,
    ...aboutOthers,
  }
  const closing = new AbortController()
  const retry = retryReads(closing.signal)
  let listening: ReturnType<typeof listenTo> | undefined

  async function ask<Row extends object>(name: keyof typeof text, values: SqlValue[]): Promise<Row[]> {
    return (await pool.query<Row>({ name, text: text[name], values })).rows
  }

  async function all<Row extends object>(name: keyof typeof text, ...values: SqlValue[]): Promise<Row[]> {
    // No stored text has this character, and PostgreSQL refuses to be asked for it.
    if (values.some((value) => typeof value === 'string' && value.includes('\0'))) return []
    try {
      return await retry(() => ask<Row>(name, values))
    } catch (error) {
      throw harmless(error)
    }
  }

  async function one<Row extends object>(name: keyof typeof text, ...values: SqlValue[]): Promise<Row | undefined> {
    return (await all<Row>(name, ...values))[0]
  }

  /** Where a step ends: each of what it looks at has had at most its share by then. */
  async function endOfStep({ merchant }: TransactionFilter, before: string, from: string): Promise<string> {
    const [root, child, registration] = await Promise.all([
      one<Ordered>('rootEntry', before, from),
      one<Ordered>('childEntry', before, from),
      one<Timed>('registrationEntry', merchant, ...momentOf(before), ...momentOf(from)),
    ])
    const ends = [root && foundById(root), child && foundById(child), registration && foundRegistration(registration)]
    return reachedBy(from, ends)
  }

  async function transactionsBefore(filter: TransactionFilter, before: string, from: string): Promise<ScanStep> {
    const below = momentOf(before)
    const reached = await endOfStep(filter, before, from)
    const values = filterValues(filter)
    const [roots, children, registrations] = await Promise.all([
      all<Ordered>('rootsBefore', ...values, before, reached),
      all<Ordered>('childrenBefore', ...values, before, reached),
      all<Timed>('registrationsBefore', ...values, ...below, ...momentOf(reached)),
    ])
    const found = [...[...roots, ...children].map(foundById), ...registrations.map(foundRegistration)]
    return { found: newestFirst(found), reached }
  }

  async function rowsBefore(filter: TransactionFilter, before: string, from: string, max: number): Promise<RowStep> {
    const values = filterValues(filter)
    const streams = await Promise.all([
      all<TransactionRow>('rootRowsBefore', before, from, ...values, max),
      all<TransactionRow>('childRowsBefore', before, from, ...values, max),
      all<TransactionRow>(
        'registrationRowsBefore',
        filter.merchant,
        ...momentOf(before),
        ...momentOf(from),
        ...values,
        max,
      ),
    ])
    // What found enough has looked that far; how far the others have come has to be asked, but no further than that.
    const filled = rowStep(streams, from, max).reached
    return rowStep(streams, await endOfStep(filter, before, filled), max)
  }

  return {
    treeOf: async (id) =>
      treeOfRows(await all<TreeOfRow>('treeOfRoot', id)) ?? treeOfRows(await all<TreeOfRow>('treeOfChild', id)),
    async transactions(ids) {
      const roots = await all<TransactionRow>('rootTransactions', JSON.stringify(ids))
      const others = notAmong(ids, roots)
      if (others.length === 0) return roots
      return [...roots, ...(await all<TransactionRow>('childTransactions', JSON.stringify(others)))]
    },
    account: (id) => one<AccountRow>('account', id),
    accountsAfter: (id, count) => all<AccountRow>('accountsAfter', id, count),
    accountKeysAfter: (id, count) => all<AccountKeys>('accountKeysAfter', id, count),
    registration: (id) => one<RegistrationRow>('registration', id),
    lastUse: async (id) => (await one<{ created_at_ms: number }>('lastUse', id))?.created_at_ms,
    expiredRegistrations: (atMs, max) => all<RegistrationRow>('expiredRegistrations', atMs, max),
    byNetworkId: async (id, merchant) => inTree(await one<TreeOfRow>('byNetworkId', id, merchant)),
    newestUnder: (id, merchant, max) => all<TransactionRow>('newestUnder', id, merchant, max),
    transactionsBefore,
    rowsBefore,
    transactionsOf: (reference, filter, max) =>
      all<TransactionRow>('ofReference', reference, ...filterValues(filter), max),
    positionsOf: async (reference, filter) =>
      (await all<Positioned>('idsOfReference', reference, ...filterValues(filter))).map(foundOf),
    idempotencyKey: (id) => one<IdempotencyRow>('idempotencyKey', id),
    velocity: (counter, merchant, sinceMs) => all<VelocityRow>('velocity', counter, merchant, sinceMs),
    job: (id) => one<JobRow>('job', id),
    dueJobs: (kind, lane, atMs, max) => all<JobRow>('dueJobs', kind, lane, atMs, max),
    takeJobs: (kind, lane, atMs, max, holdMs) => all<JobRow>('takeJobs', kind, lane, atMs, max, holdMs),
    firstOfLine: (kind, lane, line, attemptsMax) => one<JobRow>('firstOfLine', kind, lane, line, attemptsMax),
    dueLanes: async (lanes, atMs) =>
      (await all<Pick<JobRow, 'kind' | 'lane'>>('dueLanes', JSON.stringify(lanes), atMs)).map(
        ({ kind, lane }): QueueName => [kind, lane],
      ),
    nextDue: async (kind, lane) => (await one<{ due_at_ms: number }>('nextDue', kind, lane))?.due_at_ms,
    countDue: async (kind, lane, atMs, max) =>
      (await one<DeadLetteredJobs>('countDue', kind, lane, atMs, max))?.jobs ?? 0,
    oldestWaiting: async (kind, lane, max) =>
      (await one<{ id: string | null }>('oldestWaiting', kind, lane, max))?.id ?? undefined,
    countParked: (max) => all<DeadLetteredJobs>('countParked', max),
    jobsBefore: (kind, lane, id, max) => all<JobRow>('jobsBefore', kind, lane, id, max),
    parkedBefore: (id, max) => all<JobRow>('parkedBefore', id, max),
    doneJobsBelow: (id, max) => all<JobRow>('doneJobsBelow', id, max),
    event: (id) => one<EventRow>('event', id),
    eventsBetween: (merchant, from, to, max) => all<EventRow>('eventsBetween', merchant, from, to, max),
    eventsBelow: (id, max) => all<EventRow>('eventsBelow', id, max),
    attemptsOf: (id) => all<DeliveryAttemptRow>('attemptsOf', id),
    webhooks: () => all<WebhookRow>('webhooks'),
    webhookKeys: () => all<WebhookKeyRow>('webhookKeys'),
    schedule: (id) => one<ScheduleRow>('schedule', id),
    scheduleChain: (id, max) => all<ScheduleRow>('scheduleChain', id, max),
    schedulesOf: (id, max) => all<ScheduleRow>('schedulesOf', id, max),
    checkout: (id) => one<CheckoutRow>('checkout', id),
    checkoutsBefore: (atMs, max) => all<CheckoutRow>('checkoutsBefore', atMs, max),
    visit: (id) => one<SessionRow>('visit', id),
    visitsBefore: (atMs, max) => all<SessionRow>('visitsBefore', atMs, max),
    velocityBefore: (atMs, max) => all<VelocityRow>('velocityBefore', atMs, max),
    installation: async (name) => (await one<{ value: string }>('installation', name))?.value,
    entities: () => all<EntityRow>('entities'),
    riskRules: () => all<RiskRulesRow>('riskRules'),
    accessTokens: () => all<AccessTokenRow>('accessTokens'),
    peers: {
      listen(listener) {
        listening ??= listenTo(url, () => all<Changes>('changes'), listener)
      },
      // Not repeated after an outage: the message would be out of date.
      publish: async (message) => void (await ask('publish', [message])),
      lock: async (name) => listening?.lock(name),
    },
    async close() {
      closing.abort()
      await listening?.close()
      await pool.end()
    },
  }
}
