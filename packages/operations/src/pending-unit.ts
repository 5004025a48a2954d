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

/** The decision of an operation: its rows are durable before its answer is sent. */
export interface PendingChange {
  readonly transaction?: PendingTransaction | undefined
  /** The account of the transaction, where the unit adds it. */
  readonly account?: AccountRow | undefined
  /** The version of the agreement's tree: no other charge under it was committed since. */
  readonly agreement?: ExpectedVersion | undefined
  /** A registration that a payment makes. */
  readonly registered?: NewRegistration | undefined
  /** Of further trees that the rows belong to. */
  readonly expectedVersions?: readonly ExpectedVersion[] | undefined
  readonly rows?: Pick<Unit['rows'], FurtherTable> | undefined
  readonly compareAndSets?: readonly CompareAndSet[] | undefined
  readonly erases?: Unit['erases']
}

type FurtherTable = 'registration' | 'schedule' | 'checkout' | 'visit' | 'job' | 'velocity'

/** The transaction of a unit: added, or in the place of its previous row. */
export interface PendingTransaction {
  readonly row: TransactionRow
  /** The stored row; undefined: the transaction is new. */
  readonly from?: TransactionRow
  /** The tree that a new transaction is added to; undefined: it begins one. */
  readonly tree?: ExpectedVersion
}

/** A tree of its own: the transaction that made the registration, the account, and its present state. */
export interface NewRegistration {
  readonly transaction: TransactionRow
  readonly account: AccountRow
  readonly registration: RegistrationRow
}

/** A pending unit of work: the answer, already rendered, and the rows that are durable before it leaves. */
export interface PendingUnit extends PendingChange {
  readonly answer: Answer
  readonly unique?: UniquenessConstraint | undefined
  /** Reverts the decision's changes in memory, if none of the rows was written. May be called twice. */
  readonly onAbandoned?: (() => void) | undefined
  /**
   * The request to an acquirer that begins once this is durable. This answer is returned unless the acquirer answers.
   */
  readonly remoteRequest?: RemoteRequest | undefined
}

/** A pending unit that decides a transaction. */
export type DecidedUnit = PendingUnit & { readonly transaction: PendingTransaction }

/**
 * A request to an acquirer across a network, in two commits. The first records that the request may have been sent, the
 * second records the outcome.
 */
export interface RemoteRequest {
  /**
   * Sends the request, within a bound. The function that it resolves to decides the unit of the outcome; it is called
   * again after a version conflict.
   */
  readonly send: () => Promise<() => Promise<PendingUnit>>
  /** Schedules a timeout reversal: an earlier one may have run before the acquirer received the request. */
  readonly scheduleReversal: () => Promise<void>
  /** Releases the secrets of the request. */
  readonly release: (() => void) | undefined
}

/** A uniqueness constraint, and the unit in its place when it is violated. */
export interface UniquenessConstraint {
  readonly keys: NonNullable<Unit['unique']>
  readonly onConflict: (taken: UniqueKeyRow) => PendingUnit | Promise<PendingUnit>
}

/**
 * The unit with another outcome, whether it is the outcome itself or an acquirer has to answer first.
 *
 * @param change maps the unit of the outcome, by its transaction
 */
export async function mapOutcome(
  pending: PendingUnit,
  change: (outcome: PendingUnit, row: TransactionRow | undefined) => PendingUnit | Promise<PendingUnit>,
): Promise<PendingUnit> {
  const { remoteRequest, unique, transaction } = pending
  const changed = async (outcome: PendingUnit) => change(outcome, (outcome.transaction ?? transaction)?.row)
  const once = unique && {
    keys: unique.keys,
    onConflict: async (taken: UniqueKeyRow) => changed(await unique.onConflict(taken)),
  }
  if (!remoteRequest) return { ...(await changed(pending)), unique: once }
  const send = async () => {
    const decideOutcome = await remoteRequest.send()
    return async () => changed(await decideOutcome())
  }
  return { ...pending, unique: once, remoteRequest: { ...remoteRequest, send } }
}

/** Releases the uniqueness constraints that a payment does not keep. An expired key may have a new owner. */
export const freedKeys = (keys: readonly UniqueKeyRow[], atMs: number): readonly CompareAndSet[] =>
  keys
    .filter(({ expires_at_ms: endsAtMs }) => (endsAtMs ?? Infinity) > atMs)
    .map((from) => ({ table: 'unique_key', from, to: null }))

/** Whether a unit has nothing to commit. */
export const writesNothing = (one: PendingChange): boolean =>
  !one.transaction && !one.account && !one.rows && !one.compareAndSets && !one.expectedVersions

/**
 * The unit that is committed. Written out: every payment makes one.
 *
 * @param id the request's, which events bear
 */
export function unitOf(id: string, pending: PendingChange & Pick<PendingUnit, 'unique'>, claim?: IdempotencyRow): Unit {
  const { transaction, account, registered, rows = NOTHING, compareAndSets, erases, unique } = pending
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
      registration: registered ? [registered.registration, ...(rows.registration ?? [])] : rows.registration,
      schedule: rows.schedule,
      checkout: rows.checkout,
      visit: rows.visit,
      job: rows.job,
      velocity: rows.velocity,
    } satisfies { readonly [T in FurtherTable | 'payment_transaction' | 'account']: unknown },
    erases,
  }
}

const NOTHING: NonNullable<PendingChange['rows']> = {}

/** Each tree once: an agreement may be that of the very payment that the transaction refers to. */
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
  for (const one of agreement ? [agreement, ...expectedVersions] : expectedVersions)
    if (!versions.some(({ id }) => id === one.id)) versions.push(one)
  return versions
}

const newTree = ({ root_id: id, merchant }: TransactionRow): ExpectedVersion => ({ id, merchant, version: 0 })
