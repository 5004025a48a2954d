import type { Channel } from '../directory/channel.ts'
import { shortIdOf } from '../ids.ts'
import type { ReferenceData } from '../parameters/reference-data.ts'

/**
 * The text on the shopper's statement: the sent descriptor, otherwise the short id and the name of the channel. With a
 * name of 100 characters, the maximum of the management API, it has 115 of the 127 characters that the contract allows.
 *
 * @param id the transaction's id
 */
export const descriptorOf = ({ descriptor }: ReferenceData, id: string, channel: Channel): string =>
  descriptor ?? `${shortIdOf(id)} ${channel.name}`
