import { Secret } from '@tollgate/contract'

/**
 * The access token of a user: base64 (RFC 4648) of `userId|password`. It is computed without strings of the password or
 * the token, because strings cannot be wiped. The caller wipes the token.
 *
 * @param userId the id of the token's user
 * @param password the password of the token's user
 */
export function accessTokenOf(userId: string, password: Secret): Secret {
  const user = Buffer.from(`${userId}|`)
  const plain = erasableBytes(user.length + password.length)
  plain.set(user)
  password.use((bytes) => plain.set(bytes, user.length))
  const token = base64(plain)
  plain.fill(0)
  return new Secret(token)
}

/**
 * An array that `fill` erases without remaining copies, because it has a buffer of its own. When V8 moves a small typed
 * array without one on its heap, it may leave a copy of the contents.
 */
const erasableBytes = (sizeBytes: number): Uint8Array => new Uint8Array(new ArrayBuffer(sizeBytes))

const alphabet = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')
const PADDING = 0x3d

/** Node's own encoder returns a string, which cannot be wiped. */
function base64(bytes: Uint8Array): Uint8Array {
  const text = erasableBytes(Math.ceil(bytes.length / 3) * 4).fill(PADDING)
  let bits = 0
  let bitCount = 0
  let position = 0
  for (const byte of bytes) {
    bits = ((bits << 8) | byte) & 0xfff
    bitCount += 8
    for (; bitCount >= 6; bitCount -= 6) text[position++] = alphabet[(bits >> (bitCount - 6)) & 63] ?? 0
  }
  if (bitCount > 0) text[position] = alphabet[(bits << (6 - bitCount)) & 63] ?? 0
  return text
}
