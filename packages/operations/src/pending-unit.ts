import type { ExpectedVersion, TransactionRow, UniqueKeyRow, Unit } from '@tollgate/storage'
import type { Answer } from './answer.ts'

/** A pending unit of work: the answer, already rendered, and the rows that are durable before it leaves. */
export interface PendingUnit {
  readonly answer: Answer
  readonly expectedVersions?: readonly ExpectedVersion[]
  readonly rows?: Unit['rows']
  readonly compareAndSets?: Unit['compareAndSets']
  readonly erases?: Unit['erases']
  readonly unique?: UniquenessConstraint | undefined
  /** Reverts what the decision noted in memory, wherever none of the rows was written. May be called twice. */
  readonly onAbandoned?: (() => void) | undefined
  /** The request to an acquirer that begins once this is durable. This answer holds unless the acquirer answers. */
  readonly attempt?: RemoteRequest | undefined
}

/**
 * A request to an acquirer across a network, in two commits. The first says that the request may have been sent, the
 * second records the outcome and decides nothing any more.
 */
export interface RemoteRequest {
  /** The transaction as it is while the outcome is unknown. */
  readonly row: TransactionRow
  /**
   * Sends the request, within a bound. The function that it resolves to makes the unit of the outcome; it is called
   * again whenever a row that it read was changed meanwhile.
   */
  readonly ask: () => Promise<() => Promise<PendingUnit>>
  /** Schedules a timeout reversal: an earlier one may have run before the acquirer received the request. */
  readonly leave: () => Promise<void>
  /** Releases the secrets of the request. */
  readonly over: () => void
}

/** A uniqueness constraint, and the unit in its place when it is violated. */
export interface UniquenessConstraint {
  readonly keys: NonNullable<Unit['unique']>
  readonly onConflict: (taken: UniqueKeyRow) => PendingUnit | Promise<PendingUnit>
}

/**
 * The unit with another outcome, whether it is the outcome itself or an acquirer has to answer first.
 *
 * @param change maps the unit of the outcome, by the transaction in question
 */
export async function mapOutcome(
  pending: PendingUnit,
  change: (outcome: PendingUnit, row: TransactionRow | undefined) => PendingUnit | Promise<PendingUnit>,
): Promise<PendingUnit> {
  const { attempt, unique } = pending
  const changed = async (outcome: PendingUnit) => change(outcome, decidedTransactions(outcome)[0] ?? attempt?.row)
  const once = unique && {
    keys: unique.keys,
    onConflict: async (taken: UniqueKeyRow) => changed(await unique.onConflict(taken)),
  }
  if (!attempt) return { ...(await changed(pending)), unique: once }
  const ask = async () => {
    const propose = await attempt.ask()
    return async () => changed(await propose())
  }
  return { ...pending, unique: once, attempt: { ...attempt, ask } }
}

/** The transactions that a unit decides: new ones, and earlier ones whose outcome was unknown. */
export function decidedTransactions({
  rows = {},
  compareAndSets = none,
}: Pick<PendingUnit, 'rows' | 'compareAndSets'>): readonly TransactionRow[] {
  const { payment_transaction: added = none } = rows
  // Most often there is one, and it is decided.
  if (compareAndSets.length === 0 && added.every(isDecided)) return added
  const changed = compareAndSets.flatMap((compareAndSet) =>
    compareAndSet.table === 'payment_transaction' ? [compareAndSet.to] : [],
  )
  return [...added, ...changed].filter(isDecided)
}

const none: readonly never[] = []

const isDecided = ({ status }: TransactionRow): boolean => status !== 'SENT'
