import type { Directory } from '../directory/channel.ts'

/** The part of the figures that a report contains. */
export interface Scope {
  /** The merchants, in the order of their ids. */
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
  return {
    merchants: merchants
      .map(({ id }) => id)
      .filter(isCovered)
      .toSorted(),
    channel: undefined,
  }
}
