import type { Channel } from '../directory/channel.ts'
import { shortIdOf } from '../ids.ts'
import type { ReferenceData } from '../parameters/reference-data.ts'

/**
 * What the shopper's statement shows: what the merchant sent, otherwise the short id and the channel's name. With a
 * name of 100 characters (the management API) that makes 115 of the 127 which the contract allows.
 *
 * @param id the transaction's id
 */
export const descriptorOf = ({ descriptor }: ReferenceData, id: string, channel: Channel): string =>
  descriptor ?? `${shortIdOf(id)} ${channel.name}`
