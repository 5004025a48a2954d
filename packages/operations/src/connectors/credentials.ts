import { InvariantError, Secret } from '@tollgate/contract'
import type { ConnectorRow } from '@tollgate/storage'
import type { Vault } from '@tollgate/vault'

/** The columns of the credentials of a connector. */
export type CredentialsColumns = Pick<ConnectorRow, 'sealed' | 'wrapped_key' | 'key_id' | 'credentials_at_ms'>

export const noCredentials: CredentialsColumns = {
  sealed: null,
  wrapped_key: null,
  key_id: null,
  credentials_at_ms: null,
}

/** Encrypts credentials, which are bound to the name of their connector. */
export async function sealCredentials(
  vault: Vault,
  name: string,
  credentials: object,
  atMs: number,
): Promise<CredentialsColumns> {
  const text = new Secret(Buffer.from(JSON.stringify(credentials), 'utf8'))
  const { sealed, wrappedKey, keyId } = await vault.sealCredentials(text, ownerOf(name)).finally(() => text.wipe())
  return { sealed, wrapped_key: wrappedKey, key_id: keyId, credentials_at_ms: atMs }
}

/**
 * Decrypts the credentials of a connector.
 *
 * @returns undefined if the connector has none
 * @throws VaultError if the keys do not open them
 */
export function openCredentials(vault: Vault, row: ConnectorRow): unknown {
  if (!hasCredentials(row)) return undefined
  const text = vault.unseal(sealedIn(row), ownerOf(row.id))
  try {
    return text.use((bytes): unknown => JSON.parse(Buffer.from(bytes).toString('utf8')))
  } finally {
    text.wipe()
  }
}

/** Whether credentials are stored for a connector. */
export const hasCredentials = ({ sealed }: Pick<ConnectorRow, 'sealed'>): boolean => sealed !== null

/** The row with its credentials wrapped under the vault's current key. */
export function rewrappedCredentials(vault: Vault, row: ConnectorRow): ConnectorRow {
  const { wrappedKey, keyId } = vault.rewrap(sealedIn(row))
  return { ...row, wrapped_key: wrappedKey, key_id: keyId }
}

function sealedIn({ id, sealed, wrapped_key: wrappedKey, key_id: keyId }: ConnectorRow) {
  if (!sealed || !wrappedKey || keyId === null) throw new InvariantError('connector has incomplete credentials', id)
  return { sealed, wrappedKey, keyId }
}

/** Connectors belong to no merchant. No merchant has this id, because ids have 32 digits. */
const ownerOf = (name: string) => ({ id: name, merchant: 'connector' })
