import { InvariantError } from '@tollgate/contract'
import type { Caller, Channel, Directory } from './channel.ts'

/**
 * Where a stored payment or registration is, relative to a request. here: in the named entity, or else in the caller's;
 * elsewhere: on another channel of the same merchant; unknown: another merchant's, which looks like none.
 */
export type Place = 'here' | 'elsewhere' | 'unknown'

/** @param stored the merchant and channel that it was made on */
export function placeOf(
  { directory }: { readonly directory: Pick<Directory, 'reaches' | 'entity'> },
  { entityId, caller }: { readonly entityId: string | undefined; readonly caller: Caller },
  stored: { readonly merchant: string; readonly channel: string },
): Place {
  const seenFrom = entityId ?? caller.entityId
  if (directory.reaches(seenFrom, stored.channel)) return 'here'
  return directory.entity(seenFrom)?.merchant === stored.merchant ? 'elsewhere' : 'unknown'
}

/**
 * Whether the caller's token reaches a stored record, whichever channel the request names: if not, no answer reveals
 * anything of it.
 */
export const isInReach = (
  { directory }: { readonly directory: Pick<Directory, 'reaches'> },
  { caller }: { readonly caller: Caller },
  stored: { readonly channel: string },
): boolean => directory.reaches(caller.entityId, stored.channel)

/** Of the channels that were named, the one that something stored was made on; if it is none of them, the first. */
export const channelOf = (
  { channels }: { readonly channels: readonly Channel[] },
  stored: { readonly channel: string } | undefined,
): Channel | undefined => channels.find(({ id }) => id === stored?.channel) ?? channels[0]

/** The same for a request of a kind that names channels. */
export function channelFor(
  request: Parameters<typeof channelOf>[0],
  stored?: Parameters<typeof channelOf>[1],
): Channel {
  const channel = channelOf(request, stored)
  if (!channel) throw new InvariantError('request has no channel')
  return channel
}
