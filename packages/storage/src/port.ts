import type { Reads } from './reads.ts'
import type { IdempotencyRow, JobRow, Schema, TransactionRow, UniqueKeyRow, WatchedTable } from './schema.ts'
import type { ChangeableTable, RemovableTable, WritableTable } from './tables.ts'

/** The condition that the tree `id` is at `version`; 0: the unit creates it. The commit increments the version. */
export interface ExpectedVersion {
  readonly id: string
  readonly merchant: string
  readonly version: number
}

/** Replaces a row if every column still has the value that was read. */
type Change = {
  readonly [T in ChangeableTable]: { readonly table: T; readonly from: Schema[T]; readonly to: Schema[T] }
}[ChangeableTable]

/** Removes a row if every column still has the value that was read. */
type Removal = {
  readonly [T in RemovableTable]: { readonly table: T; readonly from: Schema[T]; readonly to: null }
}[RemovableTable]

export type CompareAndSet = Change | Removal

/**
 * A unit of work, committed as a whole or not at all. Transactions, velocity rows, events and delivery attempts are
 * added; a row of another table replaces the row with its key. No two merchants share an id.
 */
export interface Unit {
  readonly id: string
  readonly expectedVersions: readonly ExpectedVersion[]
  readonly claim?: IdempotencyRow | undefined
  /** A key conflicts with a stored row that has the same id and has not expired at the key's `created_at_ms`. */
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
 * answer. conflict: a unique key exists; `row` is the stored row. A storage fault (full disk, broken constraint)
 * rejects the promise with a StorageError.
 */
export type CommitResult =
  | { readonly kind: 'committed' }
  | { readonly kind: 'stale' }
  | { readonly kind: 'claimed'; readonly row: IdempotencyRow }
  | { readonly kind: 'conflict'; readonly row: UniqueKeyRow }

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

/** A filter of transactions. An undefined member matches all. */
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

/** A step of a scan: transactions down to the position `reached`, newest first. */
export interface ScanStep {
  readonly transactions: readonly PositionedTransaction[]
  readonly reached: string
}

/** A transaction with its position and its stored row. */
export interface PositionedRow extends PositionedTransaction {
  readonly row: TransactionRow
}

/** A step of a scan that also reads the rows. */
export interface RowStep {
  readonly transactions: readonly PositionedRow[]
  readonly reached: string
}

/** A queue of jobs: its kind and its name. */
export type QueueName = readonly [kind: string, name: string]

/** Counts since the storage was opened. */
export interface StorageTotals {
  /** Units with an outcome of any kind. */
  readonly units: number
  /** Database transactions that the units shared. */
  readonly batches: number
}

/** Callbacks for changes and messages of peers. */
export interface Listener {
  /**
   * Called after peers have changed tables that processes cache in memory. Calls are never concurrent; after a
   * rejection the next call names the same tables again.
   */
  readonly onChanges: (tables: ReadonlySet<WatchedTable>) => Promise<void>
  /** Called with each message that a peer, or this process, publishes. */
  readonly onMessage: (message: string) => void
}

/** Communication with the other processes on the same storage. */
export interface Peers {
  /**
   * Reports changes from now on: at once, or within `limits.watchMs` if a notification was lost. The first report names
   * all tables; later reports may include changes of this process. Only listening processes receive messages.
   */
  listen(listener: Listener): void
  /** @param message at most `limits.messageBytes` of UTF-8 */
  publish(message: string): Promise<void>
  /**
   * Takes a lock, unless a peer holds it, the database is unreachable, or this process does not listen. A process must
   * not take a lock that it already holds, because the server would grant it again. The lock is lost with its
   * connection: it avoids duplicate work and guarantees nothing.
   */
  lock(name: string): Promise<Lock | undefined>
}

/** A lock that this process holds. */
export interface Lock {
  /** Whether the connection that took the lock still exists. */
  isHeld(): boolean
  release(): Promise<void>
}

/** The reading half of a storage: the reads that reads.ts declares, and methods with code of their own. */
export interface Reader extends Reads {
  /** The tree that contains the transaction `id`, a root or a child. */
  treeOf(id: string): Promise<StoredTree | undefined>
  /**
   * The trees with children among the trees of these roots, in no order. The other trees consist of their root, as
   * do all trees of version 1. Far cheaper than reading the trees if most of them have no children.
   */
  treesWithChildren(rootIds: readonly string[]): Promise<readonly StoredTree[]>
  /** The stored transactions with these ids, in no order. Cheaper than reading their trees. */
  transactions(ids: readonly string[]): Promise<readonly TransactionRow[]>
  /** The transaction with a network transaction id; the oldest if the network has assigned the id twice. */
  byNetworkId(networkTransactionId: string, merchant: string): Promise<StoredTransaction | undefined>
  /**
   * One step of a scan of a merchant's transactions, from the newest below `before` to `from` inclusive. It reads a
   * bounded number of entries, so that no step takes long, and may find nothing.
   */
  transactionsBefore(filter: TransactionFilter, before: string, from: string): Promise<ScanStep>
  /** Like `transactionsBefore`, with rows. The step ends after `max` roots, children or registrations. */
  rowsBefore(filter: TransactionFilter, before: string, from: string, max: number): Promise<RowStep>
  /**
   * At most `max` transactions that match the filter, in no order, among the newest `limits.referenceRows` transactions
   * with a merchantTransactionId.
   */
  transactionsOf(
    merchantTransactionId: string,
    filter: TransactionFilter,
    max: number,
  ): Promise<readonly TransactionRow[]>
  /** Like `transactionsOf`, but without a maximum, and only ids and positions. */
  positionsOf(merchantTransactionId: string, filter: TransactionFilter): Promise<readonly PositionedTransaction[]>
  /**
   * Leases due jobs of a queue to this process for `leaseMs`, except jobs that another process has leased. After a
   * lease has expired, another process may lease the job: a compare-and-set by this process then fails. If processes
   * cannot share the storage, no job is leased, and the next call returns the same jobs.
   */
  leaseJobs(kind: string, queue: string, atMs: number, max: number, leaseMs: number): Promise<readonly JobRow[]>
  /** The queues among `queues` with a job that is due at `atMs`, leased or not. */
  dueQueues(queues: readonly QueueName[], atMs: number): Promise<readonly QueueName[]>
  /** The time of the database server, epoch milliseconds. Absent if the storage has no server. */
  readonly serverTime?: (() => Promise<number>) | undefined
  /**
   * Waits for the end of all commits of transactions that are in progress, which may not know the last change of
   * `transaction_feed`. Absent if a storage commits one unit after the other.
   * @returns false if one of them has not ended within `limits.openCommitsMs`
   */
  readonly openCommits?: (() => Promise<boolean>) | undefined
  /** The other processes on this storage; undefined if processes cannot share the storage. */
  readonly peers?: Peers | undefined
  close(): Promise<void>
}

/** The committing half of a storage. */
export interface Committer {
  /** Resolves with the outcome. Units that arrive while a commit is in progress share the next commit. */
  commit(unit: Unit): Promise<CommitResult>
  /** The number of units without an outcome. The gateway refuses requests above a bound of this number. */
  depth(): number
  totals(): StorageTotals
  /** Whether units can be committed now: false while there is no connection to a server. */
  isReachable(): boolean
  /** Completes the commits in progress, then releases the file or connections. */
  close(): Promise<void>
}

/** Durable state, the same for every dialect. */
export interface Storage extends Reader, Committer {}
