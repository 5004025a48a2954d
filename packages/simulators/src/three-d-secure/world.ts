import type { Random } from '../http/exchange.ts'
import type { Post } from '../http/post.ts'
import type { Sessions } from './acs/sessions.ts'
import type { CardRange } from './ds/card-ranges.ts'

/** What the directory server and the ACS have of the world, and of each other. */
export interface World {
  /** Where the simulator is reached, without a slash at the end. */
  readonly url: string
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly random: Random
  readonly post: Post
  readonly cavvKey: Uint8Array
  readonly ranges: { readonly serialNum: string; readonly cardRangeData: readonly CardRange[] }
  readonly sessions: Sessions
}

/** A random id, RFC 4122 version 4. */
export function drawUuid({ random }: Pick<World, 'random'>): string {
  const bytes = Buffer.from(random(16))
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
