import type {
  AccessTokenRow,
  AccountRow,
  EntityRow,
  IdempotencyRow,
  RegistrationRow,
  RiskRulesRow,
  Schema,
  TransactionRow,
  UniqueKeyRow,
  VelocityRow,
  WritableTable,
} from './schema.ts'

/** "The tree `id` is still at `version`": 0 means that this unit creates it. A commit moves it to version + 1. */
export interface Guard {
  readonly id: string
  readonly merchant: string
  readonly version: number
}

/** An account as it was read, and what it is to become: only where it still is in every column what it was. */
export interface AccountSwap {
  readonly from: AccountRow
  readonly to: AccountRow
}

/**
 * Everything that one operation changes, all or nothing. Rows of installation, entity, risk_rules, access_token,
 * account and registration replace the row with the same key; transactions are only ever added, and velocity until it
 * is forgotten. Ids are unique: no id is ever used by two merchants.
 */
export interface Unit {
  readonly id: string
  readonly guards: readonly Guard[]
  readonly claim?: IdempotencyRow | undefined
  /** Each is added unless a row with its id is there that lasts beyond `created_at_ms`. */
  readonly unique?: readonly UniqueKeyRow[] | undefined
  readonly swaps?: readonly AccountSwap[] | undefined
  /** What counts from before this time, epoch milliseconds, goes: the oldest rows, `limits.velocityRemoved` at most. */
  readonly forgetVelocityBeforeMs?: number | undefined
  readonly rows: { readonly [T in WritableTable]?: readonly Schema[T][] | undefined }
  /** Soon after the commit no file of the storage may hold what these rows replace, or any copy of it. */
  readonly erases?: boolean | undefined
}

/**
 * committed: durable, on disk. stale: a guard's tree has moved on, or exists already, or an account is not what a swap
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

/** The one door to durable state, the same for every dialect. */
export interface Storage {
  /** Resolves after the unit is durable. Units that arrive while a commit is under way share the next one. */
  commit(unit: Unit): Promise<CommitResult>
  /** The tree that holds the transaction `id`, whether it is the root or refers to it. */
  treeOf(id: string): Promise<StoredTree | undefined>
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
  idempotencyKey(id: string): Promise<IdempotencyRow | undefined>
  /**
   * Of what a merchant has stored under a counter since a time, epoch milliseconds, that time included: the newest rows
   * first, ids descending within a millisecond, and no more of them than `limits.velocityRows`.
   */
  velocity(counter: string, merchant: string, sinceMs: number): Promise<readonly VelocityRow[]>
  /** Whether anything counts from before a time, epoch milliseconds. */
  hasVelocityBefore(atMs: number): Promise<boolean>
  entities(): Promise<readonly EntityRow[]>
  riskRules(): Promise<readonly RiskRulesRow[]>
  accessTokens(): Promise<readonly AccessTokenRow[]>
  installation(name: string): Promise<string | undefined>
  /** Units waiting for their commit; the gateway refuses work above its bound. */
  depth(): number
  /** Finishes what is under way, then releases the file or connections. */
  close(): Promise<void>
}
