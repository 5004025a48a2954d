import { all, byId, IN_LIST, one, query, type Read, setOf, value } from './declare-read.ts'
import { ledgerReads } from './ledger-reads.ts'
import { disputeReads } from './dispute-reads.ts'
import { limits } from './limits.ts'
import { reportReads } from './report-reads.ts'
import { accountReads } from './account-reads.ts'
import { settlementReads } from './settlement-reads.ts'
import { sftpReads } from './sftp-reads.ts'
import { compareCodeUnits } from './memory/compare-code-units.ts'
import { type MemoryDisk, storedTransactions } from './memory/disk.ts'
import { select } from './memory/select.ts'
import type { AccountRow, AcquirerAttemptRow, JobRow } from './schema.ts'
import type { SqlValue } from './sql-value.ts'

/** The digits of an account that a receipt may show. */
export type AccountDigits = Pick<AccountRow, 'id' | 'bin' | 'last4'>

/** The number of accounts of a page with one pair of encryption key and fingerprint key, and the last of their ids. */
export interface AccountKeys extends Pick<AccountRow, 'key_id' | 'fingerprint_key_id'> {
  readonly accounts: number
  readonly last_id: string
}

/** The number of dead-lettered jobs of a kind. */
export interface DeadLetteredJobs {
  readonly kind: string
  readonly jobs: number
}

/** The condition of a waiting job of a queue: neither dead-lettered nor done. */
const waiting = 'kind = ? AND lane = ? AND parked_at_ms IS NULL AND done_at_ms IS NULL'

/** The reads of one statement: for each read its SQL, and the same read in memory, which is the reference in tests. */
export const reads = {
  account: byId('account'),
  /** The first and last digits of a list of accounts (`listOf`), in no order. */
  accountDigits: query(
    `SELECT id, bin, last4 FROM account WHERE id ${IN_LIST}`,
    (disk, ids: string): readonly AccountDigits[] => {
      const listed = setOf(ids)
      return select(disk.account, (row) => listed.has(row.id)).map(({ id, bin, last4 }) => ({ id, bin, last4 }))
    },
  ),
  /** A page of all accounts in the order of their ids: those after `id`, at most `count`. */
  accountsAfter: all('account', 'WHERE id > ? ORDER BY id LIMIT ?', (disk, id: string, count: number) =>
    select(disk.account, (row) => row.id > id).slice(0, count),
  ),
  /** The accounts of the page of `accountsAfter`, counted by their keys, in no order; empty after the last account. */
  accountKeysAfter: query(
    `SELECT key_id, fingerprint_key_id, count(*) AS accounts, max(id) AS last_id
      FROM (SELECT id, key_id, fingerprint_key_id FROM account WHERE id > ? ORDER BY id LIMIT ?) AS page
      GROUP BY key_id, fingerprint_key_id`,
    (disk, id: string, count: number): readonly AccountKeys[] => {
      const counts = new Map<string, AccountKeys>()
      for (const row of select(disk.account, (account) => account.id > id).slice(0, count)) {
        const { key_id, fingerprint_key_id } = row
        const pair = JSON.stringify([key_id, fingerprint_key_id])
        const accounts = (counts.get(pair)?.accounts ?? 0) + 1
        counts.set(pair, { key_id, fingerprint_key_id, accounts, last_id: row.id })
      }
      return [...counts.values()]
    },
  ),

  registration: byId('registration'),
  /** The creation time of a registration, or of the newest payment with it that is not declined; epoch milliseconds. */
  lastUse: value(
    `SELECT created_at_ms AS value FROM payment_transaction
      WHERE registration_id = ? AND id = root_id AND status <> 'NOK' ORDER BY created_at_ms DESC LIMIT 1`,
    (disk, registrationId: string): number | undefined =>
      storedTransactions(disk)
        .filter((row) => row.registration_id === registrationId && row.id === row.root_id && row.status !== 'NOK')
        .map((row) => row.created_at_ms)
        .toSorted((a, b) => b - a)[0],
  ),
  /** At most `max` registrations that expired at or before `atMs` and are not deleted, the longest expired first. */
  expiredRegistrations: all(
    'registration',
    'WHERE deleted_at_ms IS NULL AND expires_at_ms <= ? ORDER BY expires_at_ms, id LIMIT ?',
    (disk, atMs: number, max: number) =>
      select(
        disk.registration,
        (row) => row.deleted_at_ms === null && row.expires_at_ms <= atMs,
        'expires_at_ms',
      ).slice(0, max),
  ),

  /** A merchant's newest transactions with a given initial transaction id, newest first, at most `max`. */
  newestOfAgreement: all(
    'payment_transaction',
    'WHERE initial_transaction_id = ? AND merchant = ? ORDER BY created_at_ms DESC, id DESC LIMIT ?',
    (disk, initialTransactionId: string, merchant: string, max: number) =>
      storedTransactions(disk)
        .filter((row) => row.initial_transaction_id === initialTransactionId && row.merchant === merchant)
        .toSorted((a, b) => b.created_at_ms - a.created_at_ms || compareCodeUnits(b.id, a.id))
        .slice(0, max),
  ),
  idempotencyKey: byId('idempotency_key'),
  uniqueKey: byId('unique_key'),

  ...ledgerReads,
  ...settlementReads,
  ...sftpReads,
  ...reportReads,
  ...disputeReads,
  ...accountReads,

  /**
   * The rows of a counter of a merchant since a time, epoch milliseconds inclusive: newest first, ids descending within
   * a millisecond, and at most `limits.velocityRows`.
   */
  velocity: all(
    'velocity',
    `WHERE counter = ? AND merchant = ? AND created_at_ms >= ? ORDER BY created_at_ms DESC, id DESC
      LIMIT ${limits.velocityRows}`,
    (disk, counter: string, merchant: string, sinceMs: number) =>
      select(
        disk.velocity,
        (row) => row.counter === counter && row.merchant === merchant && row.created_at_ms >= sinceMs,
        'created_at_ms',
      )
        .toReversed()
        .slice(0, limits.velocityRows),
  ),
  /** At most `max` rows of all counters from before a time, epoch milliseconds: the oldest. */
  velocityBefore: all(
    'velocity',
    'WHERE created_at_ms < ? ORDER BY created_at_ms LIMIT ?',
    (disk, atMs: number, max: number) =>
      select(disk.velocity, (row) => row.created_at_ms < atMs, 'created_at_ms').slice(0, max),
  ),

  job: byId('job'),
  /** Jobs of a queue that are due at `atMs`, leased or not, at most `max`: by due time, then id. */
  dueJobs: all(
    'job',
    `WHERE ${waiting} AND due_at_ms <= ? ORDER BY due_at_ms, id LIMIT ?`,
    (disk, kind: string, queue: string, atMs: number, max: number) =>
      waitingJobs(disk, kind, queue, atMs).slice(0, max),
  ),
  /** The first waiting job of a delivery order among those with at most `attemptsMax` attempts. */
  firstInOrder: one(
    'job',
    `WHERE ${waiting} AND line = ? AND attempts <= ? ORDER BY line_place, id LIMIT 1`,
    (disk, kind: string, queue: string, line: string, attemptsMax: number) =>
      waitingJobs(disk, kind, queue)
        .filter((row) => row.line === line && row.attempts <= attemptsMax)
        .toSorted((a, b) => (a.line_place ?? 0) - (b.line_place ?? 0) || compareCodeUnits(a.id, b.id))[0],
  ),
  /** Due time of the next job of a queue; epoch milliseconds. */
  nextDue: value(
    `SELECT due_at_ms AS value FROM job WHERE ${waiting} ORDER BY due_at_ms LIMIT 1`,
    (disk, kind: string, queue: string): number | undefined => waitingJobs(disk, kind, queue)[0]?.due_at_ms,
  ),
  /** The number of jobs of a queue that are due at `atMs`, counted up to `max`. */
  countDue: value(
    `SELECT count(*) AS value FROM (SELECT id FROM job WHERE ${waiting} AND due_at_ms <= ? LIMIT ?) AS page`,
    (disk, kind: string, queue: string, atMs: number, max: number): number =>
      Math.min(max, waitingJobs(disk, kind, queue, atMs).length),
  ),
  /** The lowest id among the first `max` waiting jobs of a queue by due time. */
  oldestWaiting: value(
    `SELECT min(id) AS value FROM (SELECT id FROM job WHERE ${waiting} ORDER BY due_at_ms LIMIT ?) AS page`,
    (disk, kind: string, queue: string, max: number): string | undefined =>
      waitingJobs(disk, kind, queue)
        .slice(0, max)
        .map(({ id }) => id)
        .toSorted(compareCodeUnits)[0],
  ),
  /** Jobs of a queue in any state, newest first: those with ids below `beforeId`, at most `max`. */
  jobsBefore: all(
    'job',
    'WHERE kind = ? AND lane = ? AND id < ? ORDER BY id DESC LIMIT ?',
    (disk, kind: string, queue: string, beforeId: string, max: number) =>
      select(disk.job, (row) => row.kind === kind && row.lane === queue && row.id < beforeId)
        .toReversed()
        .slice(0, max),
  ),
  /** Dead-lettered jobs of all queues, newest first: those with ids below `beforeId`, at most `max`. */
  deadLetteredBefore: all(
    'job',
    'WHERE parked_at_ms IS NOT NULL AND id < ? ORDER BY id DESC LIMIT ?',
    (disk, beforeId: string, max: number) =>
      select(disk.job, (row) => row.parked_at_ms !== null && row.id < beforeId)
        .toReversed()
        .slice(0, max),
  ),
  /** The number of dead-lettered jobs by kind, counted up to `max` in all; rows in no order. */
  countDeadLettered: query(
    `SELECT kind, count(*) AS jobs FROM (SELECT kind FROM job WHERE parked_at_ms IS NOT NULL LIMIT ?) AS page
      GROUP BY kind`,
    (disk, max: number): readonly DeadLetteredJobs[] => {
      const jobs = new Map<string, number>()
      const deadLettered = select(disk.job, (row) => row.parked_at_ms !== null).slice(0, max)
      for (const { kind } of deadLettered) jobs.set(kind, (jobs.get(kind) ?? 0) + 1)
      return Array.from(jobs, ([kind, count]) => ({ kind, jobs: count }))
    },
  ),
  /** Done jobs of all merchants with ids below `id`, at most `max`: the oldest. */
  doneJobsBelow: all(
    'job',
    'WHERE id < ? AND done_at_ms IS NOT NULL ORDER BY id LIMIT ?',
    (disk, id: string, max: number) => select(disk.job, (row) => row.id < id && row.done_at_ms !== null).slice(0, max),
  ),

  event: byId('event'),
  /** Events of a merchant with ids from `fromId` to `toId` inclusive, in the order of their ids, at most `max`. */
  eventsBetween: all(
    'event',
    'WHERE merchant = ? AND id >= ? AND id <= ? ORDER BY id LIMIT ?',
    (disk, merchant: string, fromId: string, toId: string, max: number) =>
      select(disk.event, (row) => row.merchant === merchant && row.id >= fromId && row.id <= toId).slice(0, max),
  ),
  /** Events of all merchants with ids below `id`, at most `max`: the oldest. */
  eventsBelow: all('event', 'WHERE id < ? ORDER BY id LIMIT ?', (disk, id: string, max: number) =>
    select(disk.event, (row) => row.id < id).slice(0, max),
  ),
  /** The messages to acquirers about a transaction, in order. */
  acquirerAttempts: all('acquirer_attempt', 'WHERE transaction_id = ? ORDER BY id', (disk, transactionId: string) =>
    select(disk.acquirer_attempt, (row) => row.transaction_id === transactionId),
  ),
  /** What was sent to acquirers as the requests of a list of transactions (`listOf`), in the order of the messages. */
  acquirerRequestsOf: query(
    `SELECT transaction_id, sent_as FROM acquirer_attempt
      WHERE transaction_id ${IN_LIST} AND kind = 'request' ORDER BY transaction_id, id`,
    (disk, transactionIds: string): readonly Pick<AcquirerAttemptRow, 'transaction_id' | 'sent_as'>[] => {
      const listed = setOf(transactionIds)
      return select(disk.acquirer_attempt, (row) => row.kind === 'request' && listed.has(row.transaction_id)).map(
        ({ transaction_id, sent_as }) => ({ transaction_id, sent_as }),
      )
    },
  ),
  cardDeclines: byId('card_declines'),
  /**
   * At most `max` rows of declines that were changed after a row, by its time (epoch milliseconds) and its id: those
   * changed first.
   */
  cardDeclinesAfter: all(
    'card_declines',
    'WHERE (changed_at_ms, id) > (?, ?) ORDER BY changed_at_ms, id LIMIT ?',
    (disk, changedAtMs: number, id: string, max: number) =>
      select(
        disk.card_declines,
        (row) => row.changed_at_ms > changedAtMs || (row.changed_at_ms === changedAtMs && row.id > id),
        'changed_at_ms',
      ).slice(0, max),
  ),
  /** At most `max` rows of declines that expired before a time, epoch milliseconds: the oldest. */
  cardDeclinesBefore: all(
    'card_declines',
    'WHERE expires_at_ms < ? ORDER BY expires_at_ms LIMIT ?',
    (disk, atMs: number, max: number) =>
      select(disk.card_declines, (row) => row.expires_at_ms < atMs, 'expires_at_ms').slice(0, max),
  ),
  /** The terminal ids of all acquirer accounts. */
  terminals: all('terminal', 'ORDER BY id', (disk) => select(disk.terminal)),
  /** All attempts of a delivery, in order. */
  attemptsOf: all('delivery_attempt', 'WHERE delivery_id = ? ORDER BY number', (disk, deliveryId: string) =>
    select(disk.delivery_attempt, (row) => row.delivery_id === deliveryId, 'number'),
  ),
  /** All webhooks, including deleted ones. */
  webhooks: all('webhook', 'ORDER BY id', (disk) => select(disk.webhook)),
  webhookKeys: all('webhook_key', 'ORDER BY id', (disk) => select(disk.webhook_key)),

  schedule: byId('schedule'),
  /** The plans of a chain, to which each reschedule adds a plan, oldest first, at most `max`. */
  scheduleChain: all('schedule', 'WHERE chain_id = ? ORDER BY id LIMIT ?', (disk, chainId: string, max: number) =>
    select(disk.schedule, (row) => row.chain_id === chainId).slice(0, max),
  ),
  /** The plans of a registration, oldest first, at most `max`. */
  schedulesOf: all(
    'schedule',
    'WHERE registration_id = ? ORDER BY id LIMIT ?',
    (disk, registrationId: string, max: number) =>
      select(disk.schedule, (row) => row.registration_id === registrationId).slice(0, max),
  ),

  checkout: byId('checkout'),
  /** At most `max` checkouts that expired before a time, epoch milliseconds: the oldest. */
  checkoutsBefore: all(
    'checkout',
    'WHERE expires_at_ms < ? ORDER BY expires_at_ms LIMIT ?',
    (disk, atMs: number, max: number) =>
      select(disk.checkout, (row) => row.expires_at_ms < atMs, 'expires_at_ms').slice(0, max),
  ),
  session: byId('visit'),
  /** At most `max` sessions whose removal is due before a time, epoch milliseconds: the oldest. */
  sessionsBefore: all(
    'visit',
    'WHERE forgotten_at_ms < ? ORDER BY forgotten_at_ms LIMIT ?',
    (disk, atMs: number, max: number) =>
      select(disk.visit, (row) => row.forgotten_at_ms < atMs, 'forgotten_at_ms').slice(0, max),
  ),

  entities: all('entity', 'ORDER BY id', (disk) => select(disk.entity)),
  riskRules: all('risk_rules', 'ORDER BY entity_id', (disk) => select(disk.risk_rules)),
  routeLists: all('route_list', 'ORDER BY entity_id', (disk) => select(disk.route_list)),
  /** All connectors, including deleted ones. */
  connectors: all('connector', 'ORDER BY id', (disk) => select(disk.connector)),
  accessTokens: all('access_token', 'ORDER BY id', (disk) => select(disk.access_token)),
  installation: value(
    'SELECT value FROM installation WHERE name = ?',
    (disk, name: string): string | undefined => disk.installation.get(name)?.value,
  ),
}

/** The methods of the port that `reads` declares. */
export type Reads = {
  readonly [Name in keyof typeof reads]: (typeof reads)[Name] extends Read<infer Arguments, infer Result>
    ? (...values: Arguments) => Promise<Result>
    : never
}

/** Creates the method of each read. */
export function readsBy(
  methodOf: (name: string, read: Read<SqlValue[], unknown>) => (...values: SqlValue[]) => Promise<unknown>,
): Reads {
  const methods = Object.entries(reads).map(([name, read]) => [name, methodOf(name, read)])
  return Object.fromEntries(methods)
}

/** The waiting jobs of a queue that are due at `atMs`, by default all, by due time, then id. */
function waitingJobs(disk: MemoryDisk, kind: string, queue: string, atMs = Infinity): JobRow[] {
  const isWaiting = (row: JobRow) => row.parked_at_ms === null && row.done_at_ms === null
  return select(
    disk.job,
    (row) => row.kind === kind && row.lane === queue && isWaiting(row) && row.due_at_ms <= atMs,
    'due_at_ms',
  )
}
