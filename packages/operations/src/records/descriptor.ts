import type { Channel } from '../directory/channel.ts'
import { shortIdOf } from '../ids.ts'
import type { ReferenceData } from '../parameters/reference-data.ts'

/**
 * The text on the shopper's statement: the merchant's, otherwise the short id and the channel's name. With a name of
 * 100 characters (the management API) it has 115 of the 127 characters that the contract allows.
 *
 * @param id the transaction's id
 */
export const descriptorOf = ({ descriptor }: ReferenceData, id: string, channel: Channel): string =>
  descriptor ?? `${shortIdOf(id)} ${channel.name}`
