import type { Secret } from '@tollgate/contract'
import type { AccountRow } from '@tollgate/storage'
import type { Gateway } from '../gateway.ts'
import type { CardFace } from './outcome.ts'

interface AccountAbout {
  readonly id: string
  readonly merchant: string
  readonly brand: string | null
  readonly face: CardFace
  readonly atMs: number
}

/** A card with its number sealed for this very row. Each payment and each registration owns its own. */
export async function sealedAccount({ vault }: Gateway, number: Secret, about: AccountAbout): Promise<AccountRow> {
  const { id, merchant } = about
  const { sealed, wrappedKey, keyId, fingerprint } = await vault.seal(number, { id, merchant })
  return accountRow(about, { fingerprint, sealed, wrapped_key: wrappedKey, key_id: keyId })
}

/** What may be shown of a card that was refused; its number is not kept. */
export function faceOnly(about: AccountAbout): AccountRow {
  return accountRow(about, { fingerprint: null, sealed: null, wrapped_key: null, key_id: null })
}

type Sealed = Pick<AccountRow, 'fingerprint' | 'sealed' | 'wrapped_key' | 'key_id'>

function accountRow({ id, merchant, brand, face, atMs }: AccountAbout, sealed: Sealed): AccountRow {
  return {
    id,
    merchant,
    kind: 'card',
    brand,
    bin: face.bin,
    last4: face.last4,
    holder: face.holder,
    expiry_month: face.expiry_month,
    expiry_year: face.expiry_year,
    fingerprint: sealed.fingerprint,
    sealed: sealed.sealed,
    wrapped_key: sealed.wrapped_key,
    key_id: sealed.key_id,
    created_at_ms: atMs,
  }
}

/** The same account without its number and without the key to it: nothing can bring the number back. */
export function shredded(account: AccountRow): AccountRow {
  return { ...account, sealed: null, wrapped_key: null, key_id: null }
}
