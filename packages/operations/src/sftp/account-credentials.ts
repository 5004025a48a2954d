import { InvariantError, Secret } from '@tollgate/contract'
import type { SftpAccountRow } from '@tollgate/storage'
import type { Vault } from '@tollgate/vault'
import { Type } from 'typebox'
import { limits } from '../limits.ts'
import type { SftpCredentials } from '../ports/sftp-client.ts'
import { optional, storedReader } from '../records/stored-json.ts'

const text = Type.String({ minLength: 1, maxLength: limits.sftpCredentialCharsMax })
const strict = { additionalProperties: false }

/** Credentials in the management API: a password or a private key. They are never shown. */
export const sftpCredentials = Type.Union([
  Type.Object({ password: text }, strict),
  Type.Object({ privateKey: text, passphrase: optional(text) }, strict),
])
const readCredentials = storedReader(sftpCredentials)

/** The columns of the credentials of an account. */
type CredentialsColumns = Pick<SftpAccountRow, 'sealed' | 'wrapped_key' | 'key_id' | 'credentials_at_ms'>

export const erasedCredentials: CredentialsColumns = {
  sealed: null,
  wrapped_key: null,
  key_id: null,
  credentials_at_ms: null,
}

/** Encrypts credentials, which are bound to their account. */
export async function sealSftpCredentials(
  vault: Vault,
  accountId: string,
  credentials: SftpCredentials,
  atMs: number,
): Promise<CredentialsColumns> {
  const secret = new Secret(Buffer.from(JSON.stringify(credentials), 'utf8'))
  const { sealed, wrappedKey, keyId } = await vault
    .sealCredentials(secret, ownerOf(accountId))
    .finally(() => secret.wipe())
  return { sealed, wrapped_key: wrappedKey, key_id: keyId, credentials_at_ms: atMs }
}

/**
 * Decrypts the credentials of an account.
 *
 * @returns undefined if the account was deleted
 * @throws VaultError if the keys do not open them
 */
export function openSftpCredentials(vault: Vault, row: SftpAccountRow): SftpCredentials | undefined {
  if (row.sealed === null) return undefined
  const secret = vault.unseal(sealedIn(row), ownerOf(row.id))
  try {
    return secret.use((bytes) => readCredentials(Buffer.from(bytes).toString('utf8')))
  } finally {
    secret.wipe()
  }
}

/** The row with its credentials wrapped under the vault's current key. */
export function rewrappedSftpCredentials(vault: Vault, row: SftpAccountRow): SftpAccountRow {
  const { wrappedKey, keyId } = vault.rewrap(sealedIn(row))
  return { ...row, wrapped_key: wrappedKey, key_id: keyId }
}

function sealedIn({ id, sealed, wrapped_key: wrappedKey, key_id: keyId }: SftpAccountRow) {
  if (!sealed || !wrappedKey || keyId === null) throw new InvariantError('SFTP account has incomplete credentials', id)
  return { sealed, wrappedKey, keyId }
}

/** No merchant has this id, because ids have 32 digits. */
const ownerOf = (id: string) => ({ id, merchant: 'sftp' })
