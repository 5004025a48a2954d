import type { EntityRow } from '@tollgate/storage'
import { audit } from '../audit.ts'
import { commitChange } from '../commit-change.ts'
import { limits } from '../limits.ts'
import {
  channelSettings,
  type EntitySettings,
  threeDSecureSettingsError,
  readEntitySettings,
  settingsError,
} from '../directory/entity-settings.ts'
import type { Context } from '../context.ts'

/** 'stale': the stored row was changed concurrently. If an entity is stale or refused, nothing was written. */
export type SaveOutcome = { readonly kind: 'saved' | 'stale' } | { readonly kind: 'refused'; readonly reason: string }

/** @param from the stored row as it was read; undefined: the entity is new */
export async function saveEntity(context: Context, row: EntityRow, from?: EntityRow): Promise<SaveOutcome> {
  const { directory, log } = context
  const settings = readEntitySettings(row.settings)
  const reason = settingsError(settings) ?? readinessError(context, row, settings)
  if (reason !== undefined) return { kind: 'refused', reason }
  const change = from ? { compareAndSets: [{ table: 'entity' as const, from, to: row }] } : { rows: { entity: [row] } }
  if (!(await commitChange(context, change))) return { kind: 'stale' }
  directory.putEntity(row)
  const previousValue = from && readEntitySettings(from.settings).checkoutStatusWithoutLogin
  const value = settings.checkoutStatusWithoutLogin
  // Auditors need to know when the status of checkouts became readable with an id alone.
  if (previousValue !== value) {
    audit(log, 'checkoutStatusWithoutLogin changed', { entity: row.id, value: String(value ?? 'inherited') })
  }
  return { kind: 'saved' }
}

/** The error of a channel in live that has 3-D Secure, but is not registered with the acquirer and the networks. */
function readinessError(
  { environment, directory }: Context,
  row: EntityRow,
  settings: EntitySettings,
): string | undefined {
  if (environment !== 'live' || row.kind !== 'channel') return undefined
  const chain = [settings]
  let ancestor = directory.entity(row.parent_id ?? '')
  for (; ancestor && chain.length < limits.entityDepthMax; ancestor = directory.entity(ancestor.parent_id ?? '')) {
    chain.unshift(ancestor.settings)
  }
  return threeDSecureSettingsError(channelSettings(chain))
}
