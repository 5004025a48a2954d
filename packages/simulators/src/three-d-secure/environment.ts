import type { Post } from '../http/post.ts'
import type { SimulatorEnvironment } from '../simulator.ts'
import type { Sessions } from './acs/sessions.ts'

/** Dependencies of the directory server and the ACS. */
export interface ThreeDSecureEnvironment extends SimulatorEnvironment {
  /** Sends a message to a 3DS server. */
  readonly post: Post
  readonly sessions: Sessions
}

/** A random id, RFC 4122 version 4. */
export function drawUuid({ random }: Pick<SimulatorEnvironment, 'random'>): string {
  const bytes = Buffer.from(random(16))
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
