import { InvariantError } from '@tollgate/contract'
import { deregister } from '@tollgate/domain'
import type { Unit } from '@tollgate/storage'
import { commitChange } from '../commit-change.ts'
import { limits } from '../limits.ts'
import { shreddedAccount } from '../records/account-record.ts'
import { readRegistrationTree } from '../records/registration-tree.ts'
import { endOfRegistration, systemDeregistration } from './end-registration.ts'
import type { Context } from '../context.ts'

type Dependencies = Pick<Context, 'storage' | 'ids'> & { readonly clock: Pick<Context['clock'], 'now'> }

/**
 * Erases a stored account and ends its registration.
 *
 * @param dependencies with the storage below the outbox, so that no event is sent
 * @returns false if there is no account, or if it was erased before
 */
export async function eraseAccount(dependencies: Dependencies, id: string): Promise<boolean> {
  const { storage, clock } = dependencies
  for (let tries = 0; tries < limits.accountErasureTriesMax; tries += 1) {
    const account = await storage.account(id)
    if (!account) return false
    const end = await endOfOwner(dependencies, id, clock.now())
    if (account.sealed === null && !end) return false
    const compareAndSets = [{ table: 'account' as const, from: account, to: shreddedAccount(account) }]
    if (await commitChange(dependencies, end ?? { compareAndSets, erases: true })) return true
  }
  throw new InvariantError('account was changed concurrently at every try to erase it', id)
}

/** The end of the registration that uses the account; undefined if there is none or if it has ended already. */
async function endOfOwner(dependencies: Dependencies, accountId: string, atMs: number): Promise<Unit | undefined> {
  const stored = await dependencies.storage.treeOf(accountId)
  const tree = stored && (await readRegistrationTree(dependencies.storage, stored.id, atMs))
  if (tree?.registration.accountId !== accountId) return undefined
  const { registration } = tree
  const decision = deregister({ registration, channel: registration.channel, atMs })
  if (decision.kind !== 'go') return undefined
  const end = await endOfRegistration(dependencies, tree, decision.registration, {
    atMs,
    reason: 'the stored payment details were erased',
    sentence: 'The stored payment details had been erased before older data were put back.',
  })
  return systemDeregistration(dependencies, tree, atMs, end)
}
