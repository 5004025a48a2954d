import type {
  AccountRow,
  CompareAndSet,
  ExpectedVersion,
  IdempotencyRow,
  RegistrationRow,
  TransactionRow,
  UniqueKeyRow,
  Unit,
} from '@tollgate/storage'
import type { Answer } from './answer.ts'

/** The changes of a pending unit of work. */
export interface PendingChange {
  readonly transaction?: PendingTransaction | undefined
  /** The new account of the transaction. */
  readonly account?: AccountRow | undefined
  /** The expected version of the agreement's tree, so that concurrent charges under one agreement conflict. */
  readonly agreement?: ExpectedVersion | undefined
  /** A registration that is created along with a payment. */
  readonly registered?: NewRegistration | undefined
  /** The expected versions of further trees of the rows. */
  readonly expectedVersions?: readonly ExpectedVersion[] | undefined
  readonly rows?: Pick<Unit['rows'], FurtherTable> | undefined
  readonly compareAndSets?: readonly CompareAndSet[] | undefined
  readonly erases?: Unit['erases']
}

type FurtherTable =
  | 'acquirer_attempt'
  | 'registration'
  | 'schedule'
  | 'checkout'
  | 'visit'
  | 'job'
  | 'velocity'
  | 'dispute'

/** The transaction of a unit: new, or replacing its stored row. */
export interface PendingTransaction {
  readonly row: TransactionRow
  /** The stored row; undefined: the transaction is new. */
  readonly from?: TransactionRow
  /** The tree that a new transaction is added to; undefined: the transaction begins a tree. */
  readonly tree?: ExpectedVersion
}

/** A registration is a tree of its own: the transaction that created it, its account and its current state. */
export interface NewRegistration {
  readonly transaction: TransactionRow
  readonly account: AccountRow
  readonly registration: RegistrationRow
}

/** A pending unit of work: the rendered answer, and the rows that are durable before it is sent. */
export interface PendingUnit extends PendingChange {
  readonly answer: Answer
  readonly unique?: UniquenessConstraint | undefined
  /** Reverts the decision's changes in memory. Called if the unit is not committed; may be called twice. */
  readonly onAbandoned?: (() => void) | undefined
  /**
   * The request to an acquirer that is sent once the unit is durable. The answer of the unit is returned unless the
   * outcome of the request is stored.
   */
  readonly remoteRequest?: RemoteRequest | undefined
}

/** A pending unit with a new or changed transaction. */
export type DecidedUnit = PendingUnit & { readonly transaction: PendingTransaction }

/**
 * A request to an acquirer across a network, in two commits. The first records that the request may have been sent, the
 * second records the outcome.
 */
export interface RemoteRequest {
  /**
   * Sends the request and waits for the response, within a timeout. The function that it resolves to decides the unit
   * of the outcome; it is called again after a version conflict.
   */
  readonly send: () => Promise<() => Promise<PendingUnit>>
  /**
   * Schedules another timeout reversal. Called if the outcome cannot be stored, because the acquirer may have received
   * an earlier reversal before the request.
   */
  readonly scheduleReversal: () => Promise<void>
  /** Releases the secrets of the request. */
  readonly release: (() => void) | undefined
}

/** A uniqueness constraint, and the alternative unit that is committed if it is violated. */
export interface UniquenessConstraint {
  readonly keys: NonNullable<Unit['unique']>
  readonly onConflict: (owner: UniqueKeyRow) => PendingUnit | Promise<PendingUnit>
}

/**
 * Maps the outcome of a unit: the unit itself, or the later unit of its remote request. The alternative unit of its
 * uniqueness constraint is also mapped.
 *
 * @param change maps the unit of the outcome; `row` is its transaction or, if it has none, that of `pending`
 */
export async function mapOutcome(
  pending: PendingUnit,
  change: (outcome: PendingUnit, row: TransactionRow | undefined) => PendingUnit | Promise<PendingUnit>,
): Promise<PendingUnit> {
  const { remoteRequest, unique, transaction } = pending
  const applyChange = async (outcome: PendingUnit) => change(outcome, (outcome.transaction ?? transaction)?.row)
  const changedUnique = unique && {
    keys: unique.keys,
    onConflict: async (owner: UniqueKeyRow) => applyChange(await unique.onConflict(owner)),
  }
  if (!remoteRequest) return { ...(await applyChange(pending)), unique: changedUnique }
  const send = async () => {
    const decideOutcome = await remoteRequest.send()
    return async () => applyChange(await decideOutcome())
  }
  return { ...pending, unique: changedUnique, remoteRequest: { ...remoteRequest, send } }
}

/** Releases the unique keys of a failed payment, except expired keys, which may have a new owner. */
export const keyReleases = (keys: readonly UniqueKeyRow[], atMs: number): readonly CompareAndSet[] =>
  keys
    .filter(({ expires_at_ms: endsAtMs }) => (endsAtMs ?? Infinity) > atMs)
    .map((from) => ({ table: 'unique_key', from, to: null }))

/** Whether a pending unit has neither rows nor expected versions, so that it needs no commit. */
export const isEmptyChange = (change: PendingChange): boolean =>
  !change.transaction && !change.account && !change.rows && !change.compareAndSets && !change.expectedVersions

/**
 * The unit that is committed. Every payment creates a unit, so its rows are listed without a spread, which is slower.
 *
 * @param id the id of the unit, which its events contain: usually the id of the request
 */
export function unitOf(id: string, pending: PendingChange & Pick<PendingUnit, 'unique'>, claim?: IdempotencyRow): Unit {
  const { transaction, account, registered, rows = NO_ROWS, compareAndSets, erases, unique } = pending
  const added = transaction && !transaction.from ? [transaction.row] : []
  const accounts = account ? [account] : []
  if (registered) {
    added.push(registered.transaction)
    accounts.push(registered.account)
  }
  return {
    id,
    expectedVersions: expectedVersionsOf(pending),
    claim,
    unique: unique?.keys,
    compareAndSets: transaction?.from
      ? [{ table: 'payment_transaction', from: transaction.from, to: transaction.row }, ...(compareAndSets ?? [])]
      : compareAndSets,
    rows: {
      payment_transaction: added,
      account: accounts,
      acquirer_attempt: rows.acquirer_attempt,
      registration: registered ? [registered.registration, ...(rows.registration ?? [])] : rows.registration,
      schedule: rows.schedule,
      checkout: rows.checkout,
      visit: rows.visit,
      job: rows.job,
      velocity: rows.velocity,
      dispute: rows.dispute,
      // The outbox adds them.
      event: undefined,
    } satisfies { readonly [T in FurtherTable | 'payment_transaction' | 'account' | 'event']: unknown },
    erases,
  }
}

const NO_ROWS: NonNullable<PendingChange['rows']> = {}

/** The expected version of each tree, once: the agreement's tree may be the tree of the transaction itself. */
function expectedVersionsOf({
  transaction,
  agreement,
  registered,
  expectedVersions = [],
}: PendingChange): readonly ExpectedVersion[] {
  const versions: ExpectedVersion[] = []
  if (transaction?.tree) versions.push(transaction.tree)
  else if (transaction && !transaction.from) versions.push(newTree(transaction.row))
  if (registered) versions.push(newTree(registered.transaction))
  for (const expected of agreement ? [agreement, ...expectedVersions] : expectedVersions)
    if (!versions.some(({ id }) => id === expected.id)) versions.push(expected)
  return versions
}

const newTree = ({ root_id: id, merchant }: TransactionRow): ExpectedVersion => ({ id, merchant, version: 0 })
