import type { Form } from '@tollgate/contract'
import type { Vault } from '@tollgate/vault'
import { hex, type IdempotencyClaim } from '@tollgate/operations'
import { limits } from '../../limits.ts'

const PRINTABLE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/

/**
 * The claim of an `Idempotency-Key` header, or 'invalid' for a key that is empty, too long or not printable. The
 * fingerprint is a keyed hash of `target` and of every known parameter, in any order, except security codes: a retry is
 * recognised, and the stored hash reveals nothing about the card.
 *
 * @param scope the entity of the key; equal keys of two entities make two claims
 * @param target method, path and id of the request
 */
export function claimOf(
  vault: Vault,
  header: string | string[],
  scope: { readonly entityId: string; readonly merchant: string },
  target: string,
  form: Form,
): IdempotencyClaim | 'invalid' {
  if (typeof header !== 'string' || header.length > limits.idempotencyKeyCharsMax || !PRINTABLE.test(header)) {
    return 'invalid'
  }
  return {
    id: hex(vault.mac('idempotency', `key|${scope.entityId}|${header}`)),
    merchant: scope.merchant,
    fingerprint: hex(fingerprint(vault, target, form)),
  }
}

function fingerprint(vault: Vault, target: string, form: Form): Uint8Array {
  const pairs = [...form.values].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const parts: Uint8Array[] = [Buffer.from(`body|${JSON.stringify([target, pairs])}`)]
  for (const [name, secret] of [...form.secrets].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (securityCodes.has(name)) continue
    parts.push(
      Buffer.from(`|${name}|`),
      secret.use((bytes) => Buffer.from(bytes)),
    )
  }
  const content = Buffer.concat(parts)
  const mac = vault.mac('idempotency', content)
  for (const part of [...parts, content]) part.fill(0)
  return mac
}

/**
 * Parameters that must never be stored after authorisation, even as a hash: a hash of a few digits can be inverted by
 * trying all values.
 */
const securityCodes = new Set([
  'card.cvv',
  'tokenAccount.dtvc',
  'tokenAccount.cryptogram',
  'giftCard.pin',
  'pos.encryptedPin.data',
])
