import type { Reads } from './reads.ts'
import type { IdempotencyRow, JobRow, Schema, TransactionRow, UniqueKeyRow, WatchedTable } from './schema.ts'
import type { ChangeableTable, RemovableTable, WritableTable } from './tables.ts'

/** The condition that the tree `id` is at `version`; 0: the unit creates it. The commit increments the version. */
export interface ExpectedVersion {
  readonly id: string
  readonly merchant: string
  readonly version: number
}

/** Replaces a row if it is still the same, in every column, as it was read. */
type Change = {
  readonly [T in ChangeableTable]: { readonly table: T; readonly from: Schema[T]; readonly to: Schema[T] }
}[ChangeableTable]

/** Removes a row under the same condition. */
type Removal = {
  readonly [T in RemovableTable]: { readonly table: T; readonly from: Schema[T]; readonly to: null }
}[RemovableTable]

export type CompareAndSet = Change | Removal

/**
 * A unit of work, committed as a whole or not at all. Transactions, velocity rows, events and attempts are added; other
 * rows replace the row with their key. No id is used by two merchants.
 */
export interface Unit {
  readonly id: string
  readonly expectedVersions: readonly ExpectedVersion[]
  readonly claim?: IdempotencyRow | undefined
  /** Each is a conflict if a row with its id exists that expires after `created_at_ms`. */
  readonly unique?: readonly UniqueKeyRow[] | undefined
  readonly compareAndSets?: readonly CompareAndSet[] | undefined
  readonly rows: { readonly [T in WritableTable]?: readonly Schema[T][] | undefined }
  /**
   * Whether the replaced rows must be erased from all files of the storage soon after the commit. On PostgreSQL they
   * are invisible at once, and the next vacuum removes them from the files.
   */
  readonly erases?: boolean | undefined
}

/**
 * committed: durable on disk. In all other cases nothing was written. stale: a tree is not at its expected version, or
 * a row of a compare-and-set has changed; read again. claimed: the idempotency key is claimed; `row` contains the first
 * answer. taken: a unique key exists; `row` is the stored row. A storage fault (full disk, broken constraint) rejects
 * the promise with a StorageError.
 */
export type CommitResult =
  | { readonly kind: 'committed' }
  | { readonly kind: 'stale' }
  | { readonly kind: 'claimed'; readonly row: IdempotencyRow }
  | { readonly kind: 'taken'; readonly row: UniqueKeyRow }

/** A tree as of one moment: the root first, then its children in the order of their ids. */
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

/** A filter of transactions. Undefined members match all. */
export interface TransactionFilter {
  readonly merchant: string
  readonly channel?: string | undefined
  readonly types?: readonly string[] | undefined
  readonly methods?: readonly string[] | undefined
}

/** The id of a transaction, and its position in the order of `positionOf`. */
export interface PositionedTransaction {
  readonly id: string
  readonly position: string
}

/** A step of a scan: the transactions from `reached` on, newest first. A scan ends when it has reached its end. */
export interface ScanStep {
  readonly found: readonly PositionedTransaction[]
  readonly reached: string
}

/** The same with the stored row. */
export interface PositionedRow extends PositionedTransaction {
  readonly row: TransactionRow
}

/** A step with the rows. */
export interface RowStep {
  readonly found: readonly PositionedRow[]
  readonly reached: string
}

/** A queue of jobs: its kind and its name. */
export type QueueName = readonly [kind: string, lane: string]

/** Counts since the storage was opened. */
export interface StorageTotals {
  /** Units with an outcome of any kind. */
  readonly units: number
  /** Database transactions that the units shared. */
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
   * Reports changes from now on, at once or, if a notification was lost, within `limits.watchMs`; the first report
   * names all tables, and later ones may include changes of this process. Messages reach only processes that listen.
   */
  listen(listener: Listener): void
  /** @param message at most `limits.messageBytes` of UTF-8 */
  publish(message: string): Promise<void>
  /**
   * Takes a lock, unless a peer holds it or the database is unreachable; not reentrant. The lock is lost with its
   * connection: it avoids duplicate work and guarantees nothing.
   */
  lock(name: string): Promise<Lock | undefined>
}

/** A lock that this process holds. */
export interface Lock {
  /** Whether its connection still exists. */
  isHeld(): boolean
  release(): Promise<void>
}

/** The reading half of a storage: the reads of the table, and those that take more than one statement. */
export interface Reader extends Reads {
  /** The tree that contains the transaction `id`, whether it is the root or refers to it. */
  treeOf(id: string): Promise<StoredTree | undefined>
  /** Those of these transactions that are stored, in no order. Cheaper than their trees. */
  transactions(ids: readonly string[]): Promise<readonly TransactionRow[]>
  /** The transaction with an id of the network; the oldest if the network gave it twice. */
  byNetworkId(networkTransactionId: string, merchant: string): Promise<StoredTransaction | undefined>
  /**
   * One step of a scan of a merchant's transactions, from the newest below `before` to `from` inclusive. It reads a
   * bounded number of entries, so that no step takes long, and may find nothing.
   */
  transactionsBefore(filter: TransactionFilter, before: string, from: string): Promise<ScanStep>
  /** The same with the rows. The step ends sooner if it would find more than `max` rows of one kind. */
  rowsBefore(filter: TransactionFilter, before: string, from: string, max: number): Promise<RowStep>
  /**
   * At most `max` transactions with an id of the merchant, in no order: of the newest `limits.referenceRows` with it.
   */
  transactionsOf(
    merchantTransactionId: string,
    filter: TransactionFilter,
    max: number,
  ): Promise<readonly TransactionRow[]>
  /** The positions of all of them, in no order. */
  positionsOf(merchantTransactionId: string, filter: TransactionFilter): Promise<readonly PositionedTransaction[]>
  /**
   * As `dueJobs`, but only those that no other process has leased, and leased to this process for `leaseMs`. A job
   * whose lease has expired may be leased to another process: a compare-and-set of the job then fails. If processes
   * cannot share the storage, nothing is leased, and the same jobs are returned again.
   */
  leaseJobs(kind: string, lane: string, atMs: number, max: number, leaseMs: number): Promise<readonly JobRow[]>
  /** Those of these queues that have a job due at `atMs`, leased or not. */
  dueQueues(lanes: readonly QueueName[], atMs: number): Promise<readonly QueueName[]>
  /** The other processes on this storage; undefined if processes cannot share the storage. */
  readonly peers?: Peers | undefined
  close(): Promise<void>
}

/** The committing half of a storage. */
export interface Committer {
  /** Resolves after the unit is durable. Units that arrive while a commit is in progress share the next one. */
  commit(unit: Unit): Promise<CommitResult>
  /** The number of units without an outcome; the gateway refuses work above its bound. */
  depth(): number
  totals(): StorageTotals
  /** Whether units can be committed now, as far as is known: false without a connection to a server. */
  isReachable(): boolean
  /** Completes the commits in progress, then releases the file or connections. */
  close(): Promise<void>
}

/** Durable state, the same for every dialect. */
export interface Storage extends Reader, Committer {}
