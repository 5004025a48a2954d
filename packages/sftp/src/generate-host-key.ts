import { generateKeyPairSync, randomBytes } from 'node:crypto'

const KEY_TYPE = 'ssh-ed25519'
/** The block of a key without encryption: the private part is filled up to a multiple of it. */
const BLOCK_BYTES = 8

/** A string of SSH: its length, and its bytes (RFC 4251, 5). */
function string(content: string | Buffer): Buffer {
  const bytes = Buffer.from(content)
  return Buffer.concat([uint32(bytes.length), bytes])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/**
 * Generates an Ed25519 host key.
 *
 * @returns the private key in OpenSSH's format (PROTOCOL.key of OpenSSH), without encryption
 */
export function generateHostKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519')
  const { d = '', x = '' } = privateKey.export({ format: 'jwk' })
  const [seed, point] = [Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]
  const check = randomBytes(4)
  const keys = Buffer.concat([
    check,
    check,
    string(KEY_TYPE),
    string(point),
    string(Buffer.concat([seed, point])),
    string('tollgate'),
  ])
  const padding = Buffer.from(
    Array.from({ length: (BLOCK_BYTES - (keys.length % BLOCK_BYTES)) % BLOCK_BYTES }, (_, n) => n + 1),
  )
  const file = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    string('none'),
    string('none'),
    string(''),
    uint32(1),
    string(Buffer.concat([string(KEY_TYPE), string(point)])),
    string(Buffer.concat([keys, padding])),
  ])
  const lines = file.toString('base64').match(/.{1,70}/g) ?? []
  return ['-----BEGIN OPENSSH PRIVATE KEY-----', ...lines, '-----END OPENSSH PRIVATE KEY-----', ''].join('\n')
}
