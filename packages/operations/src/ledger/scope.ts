import type { Directory } from '../directory/channel.ts'

/** The merchant of entries that belong to none, such as rows of settlement files without a match. */
const NO_MERCHANT = ''

/** The part of the figures that a report contains. */
export interface Scope {
  /** The merchants, in the order of their ids; if all are covered, the first is ''. */
  readonly merchants: readonly string[]
  /** The only channel; undefined: all channels of the merchants. */
  readonly channel: string | undefined
}

/**
 * The scope of an entity of any level.
 *
 * @param entityId undefined: all merchants
 */
export function scopeOf(directory: Directory, entityId: string | undefined): Scope {
  const entity = entityId === undefined ? undefined : directory.entity(entityId)
  if (entity?.kind === 'channel') return { merchants: [entity.merchant], channel: entity.id }
  const merchants = directory.entities().filter(({ kind }) => kind === 'merchant')
  const isCovered = (id: string) => entityId === undefined || directory.reaches(entityId, id)
  const covered = merchants
    .map(({ id }) => id)
    .filter(isCovered)
    .toSorted()
  return { merchants: entityId === undefined ? [NO_MERCHANT, ...covered] : covered, channel: undefined }
}
