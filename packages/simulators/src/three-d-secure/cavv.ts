import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Secret } from '@tollgate/contract'

/** Facts that an authentication value proves. */
export interface CavvContent {
  readonly number: Secret
  /** `purchaseAmount`, minor units; empty without a payment. */
  readonly amount: string
  /** `purchaseCurrency`, ISO 4217 numeric; empty without a payment. */
  readonly currency: string
  readonly acsTransID: string
  readonly status: 'Y' | 'A'
}

/** The key of the simulated issuers. It is public, and for tests only. */
export const simulatorCavvKey: Uint8Array = new TextEncoder().encode('tollgate simulator: CAVV key, no secret')

/**
 * HMAC-SHA-256 over `number|amount|currency|acsTransID|status`, with the id in lower case: the first 20 bytes, in
 * base64 (28 characters).
 */
export function makeCavv({ number, amount, currency, acsTransID, status }: CavvContent, key: Uint8Array): string {
  const hmac = createHmac('sha256', key)
  number.use((digits) => hmac.update(digits))
  hmac.update(`|${amount}|${currency}|${acsTransID.toLowerCase()}|${status}`)
  return hmac.digest().subarray(0, 20).toString('base64')
}

/**
 * Whether an authentication value was created with the key for exactly these facts.
 *
 * @param cavv any text; an authentication value has 28 characters of base64
 * @param key by default the key of the simulated issuers
 */
export function verifyCavv(authenticated: CavvContent, cavv: string, key: Uint8Array = simulatorCavvKey): boolean {
  const expected = Buffer.from(makeCavv(authenticated, key))
  const actual = Buffer.from(cavv)
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}
