import type { EntityRow } from '@tollgate/storage'
import { audit } from '../audit.ts'
import { commitChange } from '../commit-change.ts'
import { limits } from '../limits.ts'
import {
  channelSettings,
  type EntitySettings,
  notReadyForThreeDSecure,
  readEntitySettings,
  wrongSetting,
} from '../directory/entity-settings.ts'
import type { Context } from '../context.ts'

/** stale: the stored row was changed concurrently; nothing was written. */
export type EntitySaved = { readonly kind: 'saved' | 'stale' } | { readonly kind: 'refused'; readonly why: string }

/** @param from the stored row as it was read; undefined: the entity is new */
export async function saveEntity(context: Context, row: EntityRow, from?: EntityRow): Promise<EntitySaved> {
  const { directory, log } = context
  const settings = readEntitySettings(row.settings)
  const why = wrongSetting(settings) ?? notReady(context, row, settings)
  if (why !== undefined) return { kind: 'refused', why }
  const change = from ? { compareAndSets: [{ table: 'entity' as const, from, to: row }] } : { rows: { entity: [row] } }
  if (!(await commitChange(context, change))) return { kind: 'stale' }
  directory.putEntity(row)
  const before = from && readEntitySettings(from.settings).checkoutStatusWithoutLogin
  const now = settings.checkoutStatusWithoutLogin
  // Auditors need to know when the status of checkouts became readable with an id alone.
  if (before !== now) {
    audit(log, 'checkoutStatusWithoutLogin changed', { entity: row.id, value: String(now ?? 'inherited') })
  }
  return { kind: 'saved' }
}

/** The error of a channel in live that has 3-D Secure without its registration with acquirer and networks. */
function notReady({ environment, directory }: Context, row: EntityRow, settings: EntitySettings): string | undefined {
  if (environment !== 'live' || row.kind !== 'channel') return undefined
  const chain = [settings]
  let at = directory.entity(row.parent_id ?? '')
  for (; at && chain.length < limits.entityDepthMax; at = directory.entity(at.parent_id ?? '')) {
    chain.unshift(at.settings)
  }
  return notReadyForThreeDSecure(channelSettings(chain))
}
