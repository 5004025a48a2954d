import { type Echo, InvariantError } from '@tollgate/contract'
import type { Registration, StandingInstruction } from '@tollgate/domain'
import type { AccountRow, Storage, StoredTree, CompareAndSet, TransactionRow } from '@tollgate/storage'
import type { Context } from '../context.ts'
import type { DecidedUnit, PendingChange } from '../pending-unit.ts'
import type { Head } from '../request-head.ts'
import { shreddedAccount } from './account-record.ts'
import type { NotificationTarget } from './notification-target.ts'
import { type Outcome, resultView } from './outcome.ts'
import { visibilityOf } from '../directory/visibility.ts'
import { currentRegistration, registrationSuccess, registrationRow } from './registration-record.ts'
import { followUpTransaction, type TransactionRequest } from './new-transaction.ts'

/** A registration with all rows that its changes depend on. */
export type RegistrationTree = Readonly<NonNullable<Awaited<ReturnType<typeof readRegistrationTree>>>>

/**
 * The tree is read before the registration. If the registration were older than the expected version, a change could
 * overwrite a concurrent change; if it is newer, the commit fails with a version conflict.
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
    registration: await currentRegistration(storage, row, atMs),
    /** The stored account. */
    account,
    /** The transaction that created the registration (RG). */
    root,
    /**
     * The newest of the transactions that set the stored data (RG, RR). Its echo contains all parameters of the
     * registration.
     */
    latest,
    /** The version that was read: the commit fails if it has changed since. */
    expectedVersion: { id: tree.id, merchant: tree.merchant, version: tree.version },
  }
}

const latestOf = ({ transactions }: StoredTree) => transactions.findLast(({ type }) => type === 'RG' || type === 'RR')

/** A registration by its id; undefined if there is none or if it belongs to another merchant. */
export async function registrationTreeOf(
  context: Context,
  head: Head,
  id: string,
): Promise<RegistrationTree | undefined> {
  const tree = await readRegistrationTree(context.storage, id, head.atMs)
  return tree && visibilityOf(context, head, tree.root) !== 'unknown' ? tree : undefined
}

/** The effect of a change on a registration. */
export interface RegistrationChange {
  readonly kind: 'go'
  readonly registration: Registration
  readonly outcome: Outcome
  /** The echo of the change; undefined: the echo of the sent parameters. */
  readonly echo?: Echo
  /** The network transaction id of a verification, and the instruction that was verified. */
  readonly networkTransactionId?: string | undefined
  readonly instruction?: StandingInstruction | undefined
  /** The new account, or 'none'; the number of the former account is shredded. undefined: the account stays. */
  readonly account?: AccountRow | 'none'
  /** The changes of the registration's plans. */
  readonly compareAndSets?: readonly CompareAndSet[]
}

/** The fields of the transaction of a change. */
interface ChangeRecord {
  readonly id: string
  readonly type: string
  readonly echo: Echo
  /** The referenced transaction; undefined: the transaction that created the registration. */
  readonly referencedId?: string | undefined
  readonly notification?: NotificationTarget
  /** The amount of each charge, if the change creates a plan. */
  readonly amountMinor?: number
  readonly currency?: string
}

/** The outcome of a change: a sentence, with the success code in the test mode of the registration. */
export const changeOutcome = (root: TransactionRow, sentence: string): Outcome => ({
  result: resultView(registrationSuccess(root)),
  resultDetails: { ExtendedDescription: sentence },
})

/** The unit of work of a change of a registration. */
export type RegistrationUnit = PendingChange & Pick<DecidedUnit, 'transaction'>

/** The unit of work of a change: its transaction and its rows. */
export function registrationUnit(
  request: TransactionRequest,
  { root, account, expectedVersion, merchant }: RegistrationTree,
  { id, type, echo, referencedId, notification, amountMinor, currency }: ChangeRecord,
  {
    registration,
    outcome,
    networkTransactionId,
    instruction,
    account: next,
    compareAndSets: planChanges = [],
  }: RegistrationChange,
): RegistrationUnit {
  const added = next === 'none' ? undefined : next
  const row = followUpTransaction(request, root, {
    id,
    referencedId,
    type,
    status: 'ACK',
    code: registrationSuccess(root),
    amountMinor,
    currency,
    brand: (added ?? account).brand,
    accountId: registration.accountId,
    networkTransactionId,
    facts: { instruction, ...notification },
    echo,
    outcome,
  })
  // If the account was changed since it was read, such as by a key rotation, the compare-and-set fails, and the change
  // is decided again.
  const shredding = { table: 'account' as const, from: account, to: shreddedAccount(account) }
  return {
    transaction: { row, tree: expectedVersion },
    account: added,
    rows: { registration: [registrationRow(registration, merchant)] },
    compareAndSets: next === undefined ? planChanges : [shredding, ...planChanges],
    erases: next !== undefined,
  }
}
