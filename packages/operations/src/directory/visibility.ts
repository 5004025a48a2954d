import { InvariantError } from '@tollgate/contract'
import type { Caller, Channel, Directory } from './channel.ts'

/**
 * The visibility of a stored payment or registration to a request. visible: it belongs to the entityId of the request,
 * or, if none was sent, to the entity of the caller; otherChannel: it belongs to another channel of the same merchant;
 * unknown: it belongs to another merchant, and is answered like a nonexistent record.
 */
export type Visibility = 'visible' | 'otherChannel' | 'unknown'

/** @param stored the merchant and channel of the stored record */
export function visibilityOf(
  { directory }: { readonly directory: Pick<Directory, 'reaches' | 'entity'> },
  { entityId, caller }: { readonly entityId: string | undefined; readonly caller: Caller },
  stored: { readonly merchant: string; readonly channel: string },
): Visibility {
  const entity = entityId ?? caller.entityId
  if (directory.reaches(entity, stored.channel)) return 'visible'
  return directory.entity(entity)?.merchant === stored.merchant ? 'otherChannel' : 'unknown'
}

/**
 * Whether the caller's token reaches a stored record, independently of the entityId of the request. If not, no answer
 * may reveal data of the record.
 */
export const isInReach = (
  { directory }: { readonly directory: Pick<Directory, 'reaches'> },
  { caller }: { readonly caller: Caller },
  stored: { readonly channel: string },
): boolean => directory.reaches(caller.entityId, stored.channel)

/** The channel of a stored record, if it is one of the request's channels; otherwise the request's first channel. */
export const channelOf = (
  { channels }: { readonly channels: readonly Channel[] },
  stored: { readonly channel: string } | undefined,
): Channel | undefined => channels.find(({ id }) => id === stored?.channel) ?? channels[0]

/** As `channelOf`, for an operation whose requests always have a channel. */
export function requiredChannelOf(
  request: Parameters<typeof channelOf>[0],
  stored?: Parameters<typeof channelOf>[1],
): Channel {
  const channel = channelOf(request, stored)
  if (!channel) throw new InvariantError('request has no channel')
  return channel
}
