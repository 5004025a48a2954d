import type { Channel } from '../directory.ts'
import { shortIdOf } from '../ids.ts'

const CHARS_MAX = 127

/**
 * What the shopper's statement shows: what the merchant sent, otherwise the short id and the channel's name.
 *
 * @param id the transaction's id
 */
export function descriptorOf(sent: string | undefined, id: string, channel: Channel): string {
  return sent ?? `${shortIdOf(id)} ${channel.name}`.slice(0, CHARS_MAX)
}
