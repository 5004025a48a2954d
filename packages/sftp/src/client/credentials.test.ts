import ssh2 from 'ssh2'
import { expect, test } from 'vitest'
import { newKeys } from '../testing/raw-client.ts'
import { authenticationMethod, withoutSha1 } from './credentials.ts'

test('an RSA key signs with SHA-2 only', () => {
  const parsed = ssh2.utils.parseKey(ssh2.utils.generateKeyPairSync('rsa', { bits: 2048 }).private)
  if (parsed instanceof Error) throw parsed
  const key = withoutSha1(parsed)
  const data = Buffer.from('session')
  for (const hash of [undefined, 'sha1', 'md5']) expect(key.sign(data, hash)).toBeInstanceOf(Error)
  for (const hash of ['sha256', 'sha512']) expect(key.verify(data, key.sign(data, hash), hash)).toBe(true)
})

test.each([
  ['no key', 'secret text'],
  ['a public key', newKeys().publicKey],
  ['a key of DSA', '-----BEGIN DSA PRIVATE KEY-----\nAAAA\n-----END DSA PRIVATE KEY-----'],
  ['an encrypted key without its passphrase', encryptedKey()],
])('%s is refused, and no error contains it', (_, privateKey) => {
  const attempt = () => authenticationMethod('shop', { kind: 'key', privateKey })
  expect(attempt).toThrow(/private key/)
  expect(attempt).not.toThrow(privateKey)
})

function encryptedKey(): string {
  const options = { bits: 256, passphrase: 'phrase', cipher: 'aes256-ctr', rounds: 1 } as const
  return ssh2.utils.generateKeyPairSync('ecdsa', options).private
}

test('an encrypted key is read with its passphrase', () => {
  const method = authenticationMethod('shop', { kind: 'key', privateKey: encryptedKey(), passphrase: 'phrase' })
  expect(method).toMatchObject({ type: 'publickey', username: 'shop' })
})
