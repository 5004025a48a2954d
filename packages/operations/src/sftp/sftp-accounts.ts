import type { SftpAccountRow, Storage } from '@tollgate/storage'
import type { Entity } from '../directory/channel.ts'
import type { Context } from '../context.ts'
import { isOneOf } from '../narrow.ts'

/** The purposes of accounts of which files are delivered. */
export const deliveredPurposes = ['reconciliationRecord', 'settlementReport'] as const
export type DeliveredPurpose = (typeof deliveredPurposes)[number]

/** The purpose of accounts from which settlement files are pulled. */
export const SETTLEMENT_FILES = 'settlementFiles'

export const sftpPurposes = [...deliveredPurposes, SETTLEMENT_FILES] as const
export type SftpPurpose = (typeof sftpPurposes)[number]

export const sftpAccountStates = ['enabled', 'disabled'] as const
export type SftpAccountState = (typeof sftpAccountStates)[number]

export const isDeliveredPurpose = isOneOf(deliveredPurposes)
export const isSftpPurpose = isOneOf(sftpPurposes)
export const isSftpAccountState = isOneOf(sftpAccountStates)

/** The accounts that are not deleted, in the order of their creation. */
export const existingAccounts = async ({ sftpAccounts }: Pick<Storage, 'sftpAccounts'>) =>
  (await sftpAccounts()).filter(({ deleted_at_ms: deletedAtMs }) => deletedAtMs === null)

/**
 * The merchants whose files go to an account: those for which it is the nearest account of its purpose, that of the
 * merchant itself or that of the nearest entity above. So each merchant has one account of a purpose.
 *
 * @param accounts all accounts that are not deleted, in the order of their creation
 * @returns ids in ascending order
 */
export function merchantsOf(
  directory: Context['directory'],
  accounts: readonly SftpAccountRow[],
  { id, purpose }: SftpAccountRow,
): readonly string[] {
  const byEntity = new Map<string, string>()
  for (const each of accounts)
    if (each.purpose === purpose && each.entity_id !== null && !byEntity.has(each.entity_id))
      byEntity.set(each.entity_id, each.id)
  const nearest = (entity: Entity | undefined): string | undefined =>
    entity && (byEntity.get(entity.id) ?? nearest(directory.entity(entity.parent_id ?? '')))
  return directory
    .entities()
    .filter((entity) => entity.kind === 'merchant' && nearest(entity) === id)
    .map((entity) => entity.id)
    .toSorted()
}
