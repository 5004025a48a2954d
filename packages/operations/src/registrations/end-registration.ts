import type { Registration } from '@tollgate/domain'
import type { Unit } from '@tollgate/storage'
import type { Context } from '../context.ts'
import { unitOf } from '../pending-unit.ts'
import { endPlans } from '../records/end-plans.ts'
import {
  type RegistrationChange,
  changeOutcome,
  type RegistrationTree,
  registrationUnit,
} from '../records/registration-tree.ts'

interface EndOfRegistration {
  readonly atMs: number
  /** The reason for the end of the registration's plans. */
  readonly reason: string
  /** The ExtendedDescription of the transaction. */
  readonly sentence: string
}

/** The change that ends a registration and its plans, and shreds the number of its account. */
export const endOfRegistration = async (
  { storage }: Pick<Context, 'storage'>,
  { root }: RegistrationTree,
  registration: Registration,
  { atMs, reason, sentence }: EndOfRegistration,
): Promise<RegistrationChange> => ({
  kind: 'go',
  registration,
  outcome: changeOutcome(root, sentence),
  account: 'none',
  compareAndSets: await endPlans(storage, registration.id, { reason, atMs }),
})

/** The unit of work of a DR that the system initiates. */
export function systemDeregistration(
  { ids }: Pick<Context, 'ids'>,
  tree: RegistrationTree,
  atMs: number,
  end: RegistrationChange,
): Unit {
  const id = ids.ordered()
  return unitOf(id, registrationUnit({ atMs }, tree, { id, type: 'DR', echo: {} }, end))
}
