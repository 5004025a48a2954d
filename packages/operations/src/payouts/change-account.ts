import type { CompareAndSet, MerchantAccountRow, Unit } from '@tollgate/storage'
import { commitChange } from '../commit-change.ts'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'

type Dependencies = Pick<Context, 'storage' | 'ids'>

/** A change of the account of a merchant, and of the rows that belong to it. */
export interface AccountChange {
  /** The progress after the change. */
  readonly to: MerchantAccountRow
  readonly rows: Unit['rows']
  readonly compareAndSets?: readonly CompareAndSet[]
}

/**
 * Changes the available balance of a merchant. The decision is repeated if another process has changed the account
 * after the decision began: two processes never decide about the same balance.
 *
 * @param decide reads the balance and returns the change; undefined: nothing is to be changed
 * @returns the change that was written
 */
export async function changeAccount<Change extends AccountChange>(
  dependencies: Dependencies,
  merchant: string,
  decide: (from: MerchantAccountRow) => Promise<Change | undefined>,
): Promise<Change | undefined> {
  for (let attempt = 0; attempt < limits.accountTriesMax; attempt += 1) {
    const stored = await dependencies.storage.merchantAccount(merchant)
    const change = await decide(stored ?? { merchant, available_to: 0, released_to: 0, paid_to: 0, changes: 0 })
    if (!change || (await tryToCommit(dependencies, stored, change))) return change
  }
  throw new Error(`the account of merchant ${merchant} is changed by other processes all the time`)
}

/** @returns false if another process has changed the account; nothing was written */
async function tryToCommit(
  dependencies: Dependencies,
  from: MerchantAccountRow | undefined,
  { to: progress, rows, compareAndSets = [] }: AccountChange,
): Promise<boolean> {
  const to = { ...progress, changes: progress.changes + 1 }
  if (from) {
    const change = { table: 'merchant_account' as const, from, to }
    return commitChange(dependencies, { compareAndSets: [change, ...compareAndSets], rows })
  }
  const isAdded = await commitChange(dependencies, {
    compareAndSets,
    rows: { ...rows, merchant_account: [to] },
  }).catch((error: unknown) => error)
  if (isAdded === true || isAdded === false) return isAdded
  // The key exists if another process has added the account at the same moment.
  if (await dependencies.storage.merchantAccount(to.merchant)) return false
  throw isAdded
}
