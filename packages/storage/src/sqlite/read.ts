import type {
  AccountKeys,
  QueueName,
  DeadLetteredJobs,
  RowStep,
  Storage,
  TransactionFilter,
  ScanStep,
} from '../port.ts'
import { limits } from '../limits.ts'
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
import { StorageError } from '../storage-error.ts'
import { inTree, notAmong, treeOfRows } from '../tree-of-rows.ts'
import { filterValues, foundById, foundRegistration, reachedBy, rowStep } from '../walk.ts'
import { compileOnly, dialect } from './compile-only.ts'
import { type Database, openReader } from './database.ts'
import { rowQueries } from './row-queries.ts'

/** The reading half of the port. */
export type SqliteReader = Omit<Storage, 'commit' | 'depth' | 'totals' | 'isReachable' | 'close'> & {
  readonly close: () => void
}

type Ordered = Pick<TransactionRow, 'id'>
type Timed = Pick<TransactionRow, 'id' | 'created_at_ms'>

/**
 * Reads `file` in the calling thread, beside its writer: a message to another thread costs more than most queries.
 * Every query is a `get` or an `all`, because an open iterator would pin the write-ahead log.
 * @throws StorageError `unavailable`, as every read does when it fails
 */
export function sqliteReader(file: string): Promise<SqliteReader> {
  return attempt(() => readerOn(openReader(file)))
}

function readerOn(database: Database): SqliteReader {
  const text = { ...queries(compileOnly(), dialect), ...rowQueries(compileOnly()) }
  const treeOfRoot = database.prepare(text.treeOfRoot)
  const treeOfChild = database.prepare(text.treeOfChild)
  const account = database.prepare(text.account)
  const accountsAfter = database.prepare(text.accountsAfter)
  const accountKeysAfter = database.prepare(text.accountKeysAfter)
  const registration = database.prepare(text.registration)
  const lastUse = database.prepare(text.lastUse)
  const expiredRegistrations = database.prepare(text.expiredRegistrations)
  const byNetworkId = database.prepare(text.byNetworkId)
  const newestUnder = database.prepare(text.newestUnder)
  const rootTransactions = database.prepare(text.rootTransactions)
  const childTransactions = database.prepare(text.childTransactions)
  const rootsBefore = database.prepare(text.rootsBefore)
  const rootRowsBefore = database.prepare(text.rootRowsBefore)
  const rootEntry = database.prepare(text.rootEntry)
  const childrenBefore = database.prepare(text.childrenBefore)
  const childRowsBefore = database.prepare(text.childRowsBefore)
  const childEntry = database.prepare(text.childEntry)
  const registrationsBefore = database.prepare(text.registrationsBefore)
  const registrationRowsBefore = database.prepare(text.registrationRowsBefore)
  const registrationEntry = database.prepare(text.registrationEntry)
  const ofReference = database.prepare(text.ofReference)
  const idsOfReference = database.prepare(text.idsOfReference)
  const idempotencyKey = database.prepare(text.idempotencyKey)
  const velocity = database.prepare(text.velocity)
  const job = database.prepare(text.job)
  const dueJobs = database.prepare(text.dueJobs)
  const firstOfLine = database.prepare(text.firstOfLine)
  const dueLanes = database.prepare(text.dueLanes)
  const nextDue = database.prepare(text.nextDue)
  const countDue = database.prepare(text.countDue)
  const oldestWaiting = database.prepare(text.oldestWaiting)
  const countParked = database.prepare(text.countParked)
  const jobsBefore = database.prepare(text.jobsBefore)
  const parkedBefore = database.prepare(text.parkedBefore)
  const event = database.prepare(text.event)
  const eventsBetween = database.prepare(text.eventsBetween)
  const eventsBelow = database.prepare(text.eventsBelow)
  const doneJobsBelow = database.prepare(text.doneJobsBelow)
  const attemptsOf = database.prepare(text.attemptsOf)
  const webhooks = database.prepare(text.webhooks)
  const webhookKeys = database.prepare(text.webhookKeys)
  const schedule = database.prepare(text.schedule)
  const scheduleChain = database.prepare(text.scheduleChain)
  const schedulesOf = database.prepare(text.schedulesOf)
  const checkout = database.prepare(text.checkout)
  const checkoutsBefore = database.prepare(text.checkoutsBefore)
  const visit = database.prepare(text.visit)
  const visitsBefore = database.prepare(text.visitsBefore)
  const velocityBefore = database.prepare(text.velocityBefore)
  const installation = database.prepare(text.installation)
  const entities = database.prepare(text.entities)
  const riskRules = database.prepare(text.riskRules)
  const accessTokens = database.prepare(text.accessTokens)

  function transactions(ids: readonly string[]): readonly TransactionRow[] {
    const roots: TransactionRow[] = rootTransactions.all(JSON.stringify(ids))
    const others = notAmong(ids, roots)
    if (others.length === 0) return roots
    const children: TransactionRow[] = childTransactions.all(JSON.stringify(others))
    return [...roots, ...children]
  }

  /** Where a step ends: each of what it looks at has had at most its share by then. */
  function endOfStep({ merchant }: TransactionFilter, before: string, from: string): string {
    const ends: (Ordered | undefined)[] = [rootEntry.get(before, from), childEntry.get(before, from)]
    const end: Timed | undefined = registrationEntry.get(merchant, ...momentOf(before), ...momentOf(from))
    return reachedBy(from, [...ends.map((entry) => entry && foundById(entry)), end && foundRegistration(end)])
  }

  function transactionsBefore(filter: TransactionFilter, before: string, from: string): ScanStep {
    const below = momentOf(before)
    const reached = endOfStep(filter, before, from)
    const values = filterValues(filter)
    const ordered: Ordered[] = [
      ...rootsBefore.all(...values, before, reached),
      ...childrenBefore.all(...values, before, reached),
    ]
    const registrations: Timed[] = registrationsBefore.all(...values, ...below, ...momentOf(reached))
    return { found: newestFirst([...ordered.map(foundById), ...registrations.map(foundRegistration)]), reached }
  }

  function rowsBefore(filter: TransactionFilter, before: string, from: string, wanted: number): RowStep {
    const max = Math.min(wanted, limits.walkRows)
    const reached = endOfStep(filter, before, from)
    const values = filterValues(filter)
    const streams: TransactionRow[][] = [
      rootRowsBefore.all(...values, before, reached, max),
      childRowsBefore.all(...values, before, reached, max),
      registrationRowsBefore.all(...values, ...momentOf(before), ...momentOf(reached), max),
    ]
    return rowStep(streams, reached, max)
  }

  return {
    treeOf: (id) => attempt(() => treeOfRows(treeOfRoot.all(id)) ?? treeOfRows(treeOfChild.all(id))),
    transactions: (ids) => attempt(() => transactions(ids)),
    account: (id) => attempt((): AccountRow | undefined => account.get(id)),
    accountsAfter: (id, count) => attempt((): AccountRow[] => accountsAfter.all(id, count)),
    accountKeysAfter: (id, count) => attempt((): AccountKeys[] => accountKeysAfter.all(id, count)),
    registration: (id) => attempt((): RegistrationRow | undefined => registration.get(id)),
    lastUse: (id) => attempt((): number | undefined => lastUse.get(id)?.created_at_ms),
    expiredRegistrations: (atMs, max) => attempt((): RegistrationRow[] => expiredRegistrations.all(atMs, max)),
    byNetworkId: (id, merchant) => attempt(() => inTree(byNetworkId.get(id, merchant))),
    newestUnder: (id, merchant, max) => attempt((): TransactionRow[] => newestUnder.all(id, merchant, max)),
    transactionsBefore: (filter, before, from) => attempt(() => transactionsBefore(filter, before, from)),
    rowsBefore: (filter, before, from, max) => attempt(() => rowsBefore(filter, before, from, max)),
    transactionsOf: (reference, filter, max) =>
      attempt((): TransactionRow[] => ofReference.all(reference, ...filterValues(filter), max)),
    positionsOf: (reference, filter) =>
      attempt(() => {
        const found: Positioned[] = idsOfReference.all(reference, ...filterValues(filter))
        return found.map(foundOf)
      }),
    idempotencyKey: (id) => attempt((): IdempotencyRow | undefined => idempotencyKey.get(id)),
    velocity: (counter, merchant, sinceMs) => attempt((): VelocityRow[] => velocity.all(counter, merchant, sinceMs)),
    job: (id) => attempt((): JobRow | undefined => job.get(id)),
    dueJobs: (kind, lane, atMs, max) => attempt((): JobRow[] => dueJobs.all(kind, lane, atMs, max)),
    takeJobs: (kind, lane, atMs, max) => attempt((): JobRow[] => dueJobs.all(kind, lane, atMs, max)),
    firstOfLine: (kind, lane, line, attemptsMax) =>
      attempt((): JobRow | undefined => firstOfLine.get(kind, lane, line, attemptsMax)),
    dueLanes: (lanes, atMs) =>
      attempt(() => dueLanes.all(JSON.stringify(lanes), atMs).map(({ kind, lane }): QueueName => [kind, lane])),
    nextDue: (kind, lane) => attempt((): number | undefined => nextDue.get(kind, lane)?.due_at_ms),
    countDue: (kind, lane, atMs, max) => attempt((): number => countDue.get(kind, lane, atMs, max).jobs),
    oldestWaiting: (kind, lane, max) =>
      attempt((): string | undefined => oldestWaiting.get(kind, lane, max)?.id ?? undefined),
    countParked: (max) => attempt((): DeadLetteredJobs[] => countParked.all(max)),
    jobsBefore: (kind, lane, id, max) => attempt((): JobRow[] => jobsBefore.all(kind, lane, id, max)),
    parkedBefore: (id, max) => attempt((): JobRow[] => parkedBefore.all(id, max)),
    doneJobsBelow: (id, max) => attempt((): JobRow[] => doneJobsBelow.all(id, max)),
    event: (id) => attempt((): EventRow | undefined => event.get(id)),
    eventsBetween: (merchant, from, to, max) => attempt((): EventRow[] => eventsBetween.all(merchant, from, to, max)),
    eventsBelow: (id, max) => attempt((): EventRow[] => eventsBelow.all(id, max)),
    attemptsOf: (id) => attempt((): DeliveryAttemptRow[] => attemptsOf.all(id)),
    webhooks: () => attempt((): WebhookRow[] => webhooks.all()),
    webhookKeys: () => attempt((): WebhookKeyRow[] => webhookKeys.all()),
    schedule: (id) => attempt((): ScheduleRow | undefined => schedule.get(id)),
    scheduleChain: (id, max) => attempt((): ScheduleRow[] => scheduleChain.all(id, max)),
    schedulesOf: (id, max) => attempt((): ScheduleRow[] => schedulesOf.all(id, max)),
    checkout: (id) => attempt((): CheckoutRow | undefined => checkout.get(id)),
    checkoutsBefore: (atMs, max) => attempt((): CheckoutRow[] => checkoutsBefore.all(atMs, max)),
    visit: (id) => attempt((): SessionRow | undefined => visit.get(id)),
    visitsBefore: (atMs, max) => attempt((): SessionRow[] => visitsBefore.all(atMs, max)),
    velocityBefore: (atMs, max) => attempt((): VelocityRow[] => velocityBefore.all(atMs, max)),
    installation: (name) => attempt((): string | undefined => installation.get(name)?.value),
    entities: () => attempt((): EntityRow[] => entities.all()),
    riskRules: () => attempt((): RiskRulesRow[] => riskRules.all()),
    accessTokens: () => attempt((): AccessTokenRow[] => accessTokens.all()),
    close: () => database.close(),
  }
}

/** Runs now, but answers as a promise. */
async function attempt<T>(read: () => T): Promise<T> {
  try {
    return read()
  } catch (error) {
    throw new StorageError('unavailable', error instanceof Error ? error.message : 'a read failed', { cause: error })
  }
}
