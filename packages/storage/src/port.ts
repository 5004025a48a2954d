import type { Reads } from './reads.ts'
import type {
  ChangeableTable,
  IdempotencyRow,
  JobRow,
  RemovableTable,
  Schema,
  TransactionRow,
  UniqueKeyRow,
  WatchedTable,
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

/** The reading half of a storage: the reads of the table, and those that take more than one statement. */
export interface Reader extends Reads {
  /** The tree that holds the transaction `id`, whether it is the root or refers to it. */
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
  /** The same with the rows. The step ends sooner where it would find more than `max` rows of one kind. */
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
  positionsOf(merchantTransactionId: string, filter: TransactionFilter): Promise<readonly FoundTransaction[]>
  /**
   * As `dueJobs`, but only those that no other process has leased, and leased to this process for `holdMs`. A job whose
   * lease has expired may be leased to another process: a compare-and-set then does not find the row as it was. Where
   * processes cannot share the storage nothing is leased, and the same jobs are returned again.
   */
  takeJobs(kind: string, lane: string, atMs: number, max: number, holdMs: number): Promise<readonly JobRow[]>
  /** Those of these queues that have a job due at `atMs`, leased or not. */
  dueLanes(lanes: readonly QueueName[], atMs: number): Promise<readonly QueueName[]>
  /** The other processes on this storage; undefined where there can be none. */
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
