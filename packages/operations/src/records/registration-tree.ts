import { type Echo, InvariantError } from '@tollgate/contract'
import type { Registration, StandingInstruction } from '@tollgate/domain'
import type { AccountRow, Storage, StoredTree, CompareAndSet, TransactionRow } from '@tollgate/storage'
import type { Context } from '../context.ts'
import type { DecidedUnit, PendingChange } from '../pending-unit.ts'
import type { Head } from '../request.ts'
import { shredded } from './account-record.ts'
import type { NotificationTarget } from './notification-target.ts'
import { type Outcome, resultView } from './outcome.ts'
import { placeOf } from '../directory/visibility.ts'
import { asItStands, registrationDone, registrationRow } from './registration-record.ts'
import { followingTransaction, type TransactionRequest } from './new-transaction.ts'

/** A registration with everything that its changes are decided on. */
export type RegistrationTree = Readonly<NonNullable<Awaited<ReturnType<typeof readRegistrationTree>>>>

/**
 * The tree is read before the registration: with a registration that is older than the version which is guarded, a
 * change would undo another one unnoticed; with a newer one it only loses its race.
 */
export async function readRegistrationTree(storage: Storage, id: string, atMs: number) {
  const tree = await storage.treeOf(id)
  const row = await storage.registration(id)
  if (!tree || !row) return undefined
  const account = await storage.account(row.account_id)
  const [root] = tree.transactions
  const latest = latestOf(tree)
  if (!root || !latest || !account) throw new InvariantError('registration has no transaction or no account', row.id)
  return {
    merchant: row.merchant,
    registration: await asItStands(storage, row, atMs),
    /** The account that it stores. */
    account,
    /** The transaction that made it (RG). */
    root,
    /** The newest of the transactions that set the stored data (RG, RR): it echoes all of its parameters. */
    latest,
    /** No other change was committed since the read. */
    expectedVersion: { id: tree.id, merchant: tree.merchant, version: tree.version },
  }
}

const latestOf = ({ transactions }: StoredTree) => transactions.findLast(({ type }) => type === 'RG' || type === 'RR')

/** A registration, if it is this merchant's; another merchant's looks like none. */
export async function registrationTreeOf(
  context: Context,
  head: Head,
  id: string,
): Promise<RegistrationTree | undefined> {
  const found = await readRegistrationTree(context.storage, id, head.atMs)
  return found && placeOf(context, head, found.root) !== 'unknown' ? found : undefined
}

/** The effect of a change on a registration. */
export interface Change {
  readonly kind: 'go'
  readonly registration: Registration
  readonly outcome: Outcome
  /** Its echo, in place of the sent parameters. */
  readonly echo?: Echo
  /** Of an acquirer's verification, and what that was for. */
  readonly networkTransactionId?: string | undefined
  readonly instruction?: StandingInstruction | undefined
  /** The account from now on: another one, or none. The former one is erased, unless it stays. */
  readonly account?: AccountRow | 'none'
  /** The changes of its plans. */
  readonly compareAndSets?: readonly CompareAndSet[]
}

/** Facts of the change's transaction, beside the change itself. */
interface ChangeRecord {
  readonly id: string
  readonly type: string
  readonly echo: Echo
  /** The referenced transaction, if it is not the one that made the registration. */
  readonly referencedId?: string | undefined
  readonly notification?: NotificationTarget
  /** Of each charge that it plans. */
  readonly amountMinor?: number
  readonly currency?: string
}

/** The outcome of a change, in one sentence; with the test mode of the registration. */
export const changeOutcome = (root: TransactionRow, sentence: string): Outcome => ({
  result: resultView(registrationDone(root)),
  resultDetails: { ExtendedDescription: sentence },
})

/** The unit of a change of a registration. */
export type RegistrationUnit = PendingChange & Pick<DecidedUnit, 'transaction'>

/** The transaction of a change, and its rows. */
export function registrationUnit(
  request: TransactionRequest,
  { root, account, expectedVersion, merchant }: RegistrationTree,
  { id, type, echo, referencedId, notification, amountMinor, currency }: ChangeRecord,
  { registration, outcome, networkTransactionId, instruction, account: next, compareAndSets: others = [] }: Change,
): RegistrationUnit {
  const added = next === 'none' ? undefined : next
  const row = followingTransaction(request, root, {
    id,
    referencedId,
    type,
    status: 'ACK',
    code: registrationDone(root),
    amountMinor,
    currency,
    brand: (added ?? account).brand,
    accountId: registration.accountId,
    networkTransactionId,
    facts: { instruction, ...notification },
    echo,
    outcome,
  })
  // The row that was read, not one that was rewrapped since: otherwise another number would be shredded.
  const shredding = { table: 'account' as const, from: account, to: shredded(account) }
  return {
    transaction: { row, tree: expectedVersion },
    account: added,
    rows: { registration: [registrationRow(registration, merchant)] },
    compareAndSets: next === undefined ? others : [shredding, ...others],
    erases: next !== undefined,
  }
}
