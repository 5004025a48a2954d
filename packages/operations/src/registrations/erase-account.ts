import { InvariantError } from '@tollgate/contract'
import { deregister } from '@tollgate/domain'
import type { TransactionRow } from '@tollgate/storage'
import { commitChange } from '../commit-change.ts'
import { unitOf } from '../pending-unit.ts'
import { limits } from '../limits.ts'
import { shredded } from '../records/account-record.ts'
import { type Outcome, resultView } from '../records/outcome.ts'
import { registrationDone } from '../records/registration-record.ts'
import { readRegistrationTree, registrationUnit } from '../records/registration-tree.ts'
import { endingPlans } from '../records/end-plans.ts'
import type { Context } from '../context.ts'

const outcomeOf = (root: TransactionRow): Outcome => ({
  result: resultView(registrationDone(root)),
  resultDetails: { ExtendedDescription: 'The stored payment details had been erased before older data were put back.' },
})

type Parts = Pick<Context, 'storage' | 'ids'> & { readonly clock: Pick<Context['clock'], 'now'> }

/**
 * Erases a stored account, and ends the registration that holds it. Nothing is announced.
 *
 * @returns false: it was erased before, or there is none
 */
export async function eraseAccount(parts: Parts, id: string): Promise<boolean> {
  const { storage } = parts
  for (let round = 0; round < limits.accountErasureTriesMax; round += 1) {
    const account = await storage.account(id)
    if (!account) return false
    const end = await endOfRegistration(parts, id)
    if (account.sealed === null && !end) return false
    const compareAndSets = [{ table: 'account' as const, from: account, to: shredded(account) }]
    if (await commitChange(parts, end ?? { compareAndSets, erases: true })) return true
  }
  throw new InvariantError('account changed during every try to erase it', id)
}

/** The end of the active registration that stores the account; undefined: no registration does. */
async function endOfRegistration({ storage, ids, clock }: Parts, accountId: string) {
  const tree = await storage.treeOf(accountId)
  const atMs = clock.now()
  const known = tree && (await readRegistrationTree(storage, tree.id, atMs))
  if (!known || known.registration.accountId !== accountId) return undefined
  const decision = deregister({ registration: known.registration, channel: known.registration.channel, atMs })
  if (decision.kind !== 'go') return undefined
  const id = ids.ordered()
  const compareAndSets = await endingPlans(storage, known.registration.id, {
    why: 'the stored payment details were erased',
    atMs,
  })
  const unit = registrationUnit(
    { atMs },
    known,
    { id, type: 'DR', echo: {} },
    {
      ...decision,
      outcome: outcomeOf(known.root),
      account: 'none',
      compareAndSets,
    },
  )
  return unitOf(id, unit)
}
