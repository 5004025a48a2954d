import ssh2, { type AnyAuthMethod, type ParsedKey } from 'ssh2'
import { keyTypes } from '../algorithms.ts'
import { SftpFailure } from './sftp-error.ts'

/** How a client authenticates: one method, which is tried once. */
export type Credentials =
  | { readonly kind: 'password'; readonly password: string }
  /** @param privateKey PEM, or in OpenSSH's format */
  | { readonly kind: 'key'; readonly privateKey: string; readonly passphrase?: string }

/** The method of authentication for ssh2. @throws SftpFailure if the private key cannot be used */
export function authenticationMethod(username: string, credentials: Credentials): AnyAuthMethod {
  if (credentials.kind === 'password') return { type: 'password', username, password: credentials.password }
  const key = parsePrivateKey(credentials)
  return { type: 'publickey', username, key: withoutSha1(key) }
}

/** The fault of credentials, without any part of them; undefined: there is none. */
export function credentialsFault(credentials: Credentials): string | undefined {
  try {
    if (credentials.kind === 'key') parsePrivateKey(credentials)
    return undefined
  } catch (error) {
    if (error instanceof SftpFailure) return error.message
    throw error
  }
}

function parsePrivateKey({ privateKey, passphrase }: Extract<Credentials, { kind: 'key' }>): ParsedKey {
  const key = parseOrError(privateKey, passphrase)
  // The texts of errors are left out: they could contain parts of the key.
  if (key instanceof Error || !key.isPrivateKey())
    throw new SftpFailure('invalid', 'The private key cannot be read: its format or its passphrase is wrong.')
  if (!keyTypes.some((type) => type === key.type))
    throw new SftpFailure('invalid', `The private key has a type that is not supported: use ${keyTypes[0]}.`)
  return key
}

function parseOrError(privateKey: string, passphrase: string | undefined): ParsedKey | Error {
  try {
    return ssh2.utils.parseKey(privateKey, passphrase)
  } catch {
    return new Error('the key cannot be parsed')
  }
}

/** For a server that announces no SHA-2, ssh2 would sign with RSA and SHA-1: the key refuses to. */
export function withoutSha1(key: ParsedKey): ParsedKey {
  if (key.type !== 'ssh-rsa') return key
  const sign = (data: Buffer | string, hash?: string): Buffer | Error =>
    hash === 'sha256' || hash === 'sha512' ? key.sign(data, hash) : new Error('SHA-1 is not used')
  return Object.create(key, { sign: { value: sign } })
}
