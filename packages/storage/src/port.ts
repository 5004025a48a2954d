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
  RemovableTable,
  ScheduleRow,
  Schema,
  ChangeableTable,
  TransactionRow,
  UniqueKeyRow,
  VelocityRow,
  SessionRow,
  WatchedTable,
  WebhookKeyRow,
  WebhookRow,
  WritableTable,
} from './schema.ts'

/** "The tree `id` is still at `version`": 0 means that this unit creates it. A commit moves it to version + 1. */
export interface ExpectedVersion {
  readonly id: string
  readonly merchant: string
  readonly version: number
}

/** A row as it was read, and what it is to become: only where it still is in every column what it was. */
type Change = {
  readonly [T in ChangeableTable]: { readonly table: T; readonly from: Schema[T]; readonly to: Schema[T] }
}[ChangeableTable]

/** A row as it was read, which is removed under the same condition. */
type Removal = {
  readonly [T in RemovableTable]: { readonly table: T; readonly from: Schema[T]; readonly to: null }
}[RemovableTable]

export type CompareAndSet = Change | Removal

/**
 * Everything that one operation changes, all or nothing. Transactions, velocity, events and attempts are added; other
 * rows replace the row with the same key. Ids are unique: no id is ever used by two merchants.
 */
export interface Unit {
  readonly id: string
  readonly expectedVersions: readonly ExpectedVersion[]
  readonly claim?: IdempotencyRow | undefined
  /** Each is added unless a row with its id is there that lasts beyond `created_at_ms`. Expired rows may be gone. */
  readonly unique?: readonly UniqueKeyRow[] | undefined
  readonly compareAndSets?: readonly CompareAndSet[] | undefined
  readonly rows: { readonly [T in WritableTable]?: readonly Schema[T][] | undefined }
  /**
   * Soon after the commit no file of the storage may hold what these rows replace, or any copy of it. PostgreSQL keeps
   * its files by rules of its own: there it is gone for every query, and from the files when they are vacuumed.
   */
  readonly erases?: boolean | undefined
}

/**
 * committed: durable, on disk. stale: a guard's tree has moved on, or exists already, or a row is not what a swap
 * starts from; nothing was written; read again. claimed: the idempotency key was taken before; nothing was written;
 * `row` holds the first answer. taken: one of the unique keys is; nothing was written; `row` is the one that is there.
 * A storage fault (full disk, broken constraint) rejects the promise with a StorageError.
 */
export type CommitResult =
  | { readonly kind: 'committed' }
  | { readonly kind: 'stale' }
  | { readonly kind: 'claimed'; readonly row: IdempotencyRow }
  | { readonly kind: 'taken'; readonly row: UniqueKeyRow }

/** How many accounts of a page are under one encryption key and one fingerprint key, and the last of their ids. */
export interface AccountKeys extends Pick<AccountRow, 'key_id' | 'fingerprint_key_id'> {
  readonly accounts: number
  readonly last_id: string
}

/** A tree as read at one moment: the transactions in order of their ids, the root first. */
export interface StoredTree {
  readonly id: string
  readonly merchant: string
  readonly version: number
  readonly transactions: readonly TransactionRow[]
}

/** A transaction, with the version of its tree. */
export interface StoredTransaction {
  readonly row: TransactionRow
  readonly version: number
}

/** Which transactions are looked for. What is undefined narrows nothing. */
export interface TransactionFilter {
  readonly merchant: string
  readonly channel?: string | undefined
  readonly types?: readonly string[] | undefined
  readonly methods?: readonly string[] | undefined
}

/** A transaction that was found, and its place in the order of `positionOf`. */
export interface FoundTransaction {
  readonly id: string
  readonly position: string
}

/** A step of a walk: what is there from `reached` on, newest first. The walk is over once it has reached its end. */
export interface ScanStep {
  readonly found: readonly FoundTransaction[]
  readonly reached: string
}

/** A transaction that was found, with all that is stored of it. */
export interface FoundRow extends FoundTransaction {
  readonly row: TransactionRow
}

/** A step likewise, with the rows. */
export interface RowStep {
  readonly found: readonly FoundRow[]
  readonly reached: string
}

/** The kind of a job and its lane. */
export type QueueName = readonly [kind: string, lane: string]

/** Jobs of a kind that were given up. */
export interface DeadLetteredJobs {
  readonly kind: string
  readonly jobs: number
}

/** What was done since the storage was opened. */
export interface StorageTotals {
  /** Units whose fate was decided, whatever it was. */
  readonly units: number
  /** Transactions that they shared. */
  readonly batches: number
}

/** Callbacks for messages of peers. */
export interface Listener {
  /**
   * Peers have changed tables that processes cache in memory. Never called concurrently; after a rejection it is called
   * again with all of these tables.
   */
  readonly changed: (tables: ReadonlySet<WatchedTable>) => Promise<void>
  /** A message that a peer, or this process, has published. */
  readonly onMessage: (message: string) => void
}

/** The processes that share a storage. */
export interface Peers {
  /**
   * Reports changes from now on, at once or, where a notification was lost, within `limits.watchMs`; the first report
   * names all tables, and later ones may include changes of this process. Messages reach only processes that listen.
   */
  listen(listener: Listener): void
  /** @param message at most `limits.messageBytes` of UTF-8 */
  publish(message: string): Promise<void>
  /**
   * Takes a lock, unless a peer has it or the database cannot be asked; not reentrant. It is lost with its connection:
   * it saves work and guarantees nothing.
   */
  lock(name: string): Promise<Lock | undefined>
}

/** A lock that this process has taken. */
export interface Lock {
  /** Whether the connection that holds it is still there. */
  isHeld(): boolean
  release(): Promise<void>
}

/** The one door to durable state, the same for every dialect. */
export interface Storage {
  /** Resolves after the unit is durable. Units that arrive while a commit is under way share the next one. */
  commit(unit: Unit): Promise<CommitResult>
  /** The tree that holds the transaction `id`, whether it is the root or refers to it. */
  treeOf(id: string): Promise<StoredTree | undefined>
  /** Those of these transactions that are stored, in no order: sooner than their trees. */
  transactions(ids: readonly string[]): Promise<readonly TransactionRow[]>
  account(id: string): Promise<AccountRow | undefined>
  /** A page of a walk over all accounts: in the order of their ids those after `id`, at most `count`. */
  accountsAfter(id: string, count: number): Promise<readonly AccountRow[]>
  /** The same page, counted: which keys its accounts are under. Rows in no order; none where the walk is over. */
  accountKeysAfter(id: string, count: number): Promise<readonly AccountKeys[]>
  registration(id: string): Promise<RegistrationRow | undefined>
  /** When the newest payment that was not rejected was made with a registration, or it itself; epoch milliseconds. */
  lastUse(registrationId: string): Promise<number | undefined>
  /**
   * At most `max` registrations whose account data is still there and whose time ran out at or before `atMs`, longest
   * ago first.
   */
  expiredRegistrations(atMs: number, max: number): Promise<readonly RegistrationRow[]>
  /** The transaction that the network gave an id, the oldest if it gave it twice. */
  byNetworkId(networkTransactionId: string, merchant: string): Promise<StoredTransaction | undefined>
  /** The newest transactions that bear an initial transaction id, newest first, at most `max`. */
  newestUnder(initialTransactionId: string, merchant: string, max: number): Promise<readonly TransactionRow[]>
  /**
   * One step of a walk through a merchant's transactions, from the newest below `before` towards `from`, itself
   * included. It looks at a bounded part of all that is stored, so that no step takes long: it may find nothing.
   */
  transactionsBefore(filter: TransactionFilter, before: string, from: string): Promise<ScanStep>
  /** The same with the rows: the step ends sooner where it would find more of one kind than `max`. */
  rowsBefore(filter: TransactionFilter, before: string, from: string, max: number): Promise<RowStep>
  /** At most `max` transactions that the merchant gave this id, in no order; of very many of them the newest. */
  transactionsOf(
    merchantTransactionId: string,
    filter: TransactionFilter,
    max: number,
  ): Promise<readonly TransactionRow[]>
  /** Where all of them stand, without their rows, in no order. */
  positionsOf(merchantTransactionId: string, filter: TransactionFilter): Promise<readonly FoundTransaction[]>
  idempotencyKey(id: string): Promise<IdempotencyRow | undefined>
  /**
   * Of what a merchant has stored under a counter since a time, epoch milliseconds, that time included: the newest rows
   * first, ids descending within a millisecond, and no more of them than `limits.velocityRows`.
   */
  velocity(counter: string, merchant: string, sinceMs: number): Promise<readonly VelocityRow[]>
  /** At most `max` of what counts from before a time, epoch milliseconds: the oldest. */
  velocityBefore(atMs: number, max: number): Promise<readonly VelocityRow[]>
  job(id: string): Promise<JobRow | undefined>
  /** Jobs of a lane that are due at `atMs`, whoever holds them, at most `max`: by due time, then id. */
  dueJobs(kind: string, lane: string, atMs: number, max: number): Promise<readonly JobRow[]>
  /**
   * As `dueJobs`, but only those that no other process holds, and they are this process's for `holdMs`. Whose hold is
   * over may find them taken by another: a swap then does not find the row as it was. Where processes cannot share the
   * storage nothing is held, and those that were taken before are among them.
   */
  takeJobs(kind: string, lane: string, atMs: number, max: number, holdMs: number): Promise<readonly JobRow[]>
  /** Those of these lanes that have a job that is due at `atMs`, whoever holds it: each by its kind and name. */
  dueLanes(lanes: readonly QueueName[], atMs: number): Promise<readonly QueueName[]>
  /** Of a line's jobs that are neither parked nor done and were tried `attemptsMax` times at most, the first. */
  firstOfLine(kind: string, lane: string, line: string, attemptsMax: number): Promise<JobRow | undefined>
  /** When the next job of a lane is due; epoch milliseconds. */
  nextDue(kind: string, lane: string): Promise<number | undefined>
  /** How many jobs of a lane are due at `atMs`, counted up to `max`. */
  countDue(kind: string, lane: string, atMs: number, max: number): Promise<number>
  /** The lowest id among the first `max` jobs of a lane, by due time, that are neither parked nor done. */
  oldestWaiting(kind: string, lane: string, max: number): Promise<string | undefined>
  /** Jobs of a lane whatever has become of them, newest first, those with lower ids than `beforeId`, at most `max`. */
  jobsBefore(kind: string, lane: string, beforeId: string, max: number): Promise<readonly JobRow[]>
  /** Jobs that were given up, of any lane, newest first as above. */
  parkedBefore(beforeId: string, max: number): Promise<readonly JobRow[]>
  /** How many jobs of each kind were given up, counted up to `max` in all; rows in no order. */
  countParked(max: number): Promise<readonly DeadLetteredJobs[]>
  event(id: string): Promise<EventRow | undefined>
  /** A merchant's events with ids between the two, these included, at most `max`, in the order of their ids. */
  eventsBetween(merchant: string, fromId: string, toId: string, max: number): Promise<readonly EventRow[]>
  /** The oldest events and jobs that are done, of all merchants, for their removal: with ids below `id`. */
  eventsBelow(id: string, max: number): Promise<readonly EventRow[]>
  doneJobsBelow(id: string, max: number): Promise<readonly JobRow[]>
  /** Every attempt of a delivery, in order. */
  attemptsOf(deliveryId: string): Promise<readonly DeliveryAttemptRow[]>
  /** All webhooks, those that were deleted too, and the keys of all. */
  webhooks(): Promise<readonly WebhookRow[]>
  webhookKeys(): Promise<readonly WebhookKeyRow[]>
  schedule(id: string): Promise<ScheduleRow | undefined>
  /** The plans of a chain, oldest first, at most `max`. */
  scheduleChain(chainId: string, max: number): Promise<readonly ScheduleRow[]>
  /** The plans of a registration, oldest first, at most `max`. */
  schedulesOf(registrationId: string, max: number): Promise<readonly ScheduleRow[]>
  checkout(id: string): Promise<CheckoutRow | undefined>
  visit(id: string): Promise<SessionRow | undefined>
  /** At most `max` that expired, or were to be forgotten, before a time, epoch milliseconds: the oldest. */
  checkoutsBefore(atMs: number, max: number): Promise<readonly CheckoutRow[]>
  visitsBefore(atMs: number, max: number): Promise<readonly SessionRow[]>
  entities(): Promise<readonly EntityRow[]>
  riskRules(): Promise<readonly RiskRulesRow[]>
  accessTokens(): Promise<readonly AccessTokenRow[]>
  installation(name: string): Promise<string | undefined>
  /** The other processes on this storage; undefined where there can be none. */
  readonly peers?: Peers | undefined
  /** Units waiting for their commit; the gateway refuses work above its bound. */
  depth(): number
  totals(): StorageTotals
  /** Whether units can be committed now, as far as anyone knows: false while there is no connection to a server. */
  isReachable(): boolean
  /** Finishes what is under way, then releases the file or connections. */
  close(): Promise<void>
}
