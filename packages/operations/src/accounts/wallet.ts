import type { BrandCode } from '@tollgate/contract'
import { isBase64, refused } from '@tollgate/domain'
import type { Call } from '../request.ts'
import type { FormReader } from './account-reader.ts'
import { cardInstrument, cardOfForm } from './card.ts'
import { deviceCard } from './device-card.ts'
import { unusable } from './instrument.ts'
import { knownBrand } from './payment-brand.ts'

/**
 * "Each wallet has two modes. Encrypted mode: the service decrypts. Decrypted mode: the merchant sends card.number …".
 * What a wallet holds is the number of a device, unless card.numberType says that it is the card's own.
 *
 * @param brands the wallet's own, the usual one first; that of the card in it may be sent instead
 */
export const wallet = (
  name: 'walletA' | 'walletB' | 'walletC',
  brands: readonly [BrandCode, ...(readonly BrandCode[])],
): FormReader => ({
  ofForm(call) {
    const { values, secrets } = call.parameters
    const number = secrets.get('card.number')
    const sent = values.get('paymentBrand')
    if (!number) return unusable('card', knownBrand(sent ?? brands[0]), refused('600.200.201', cannotDecrypt(name)))
    const about = cardOfForm(call)
    if (!hasProof(call)) return unusable('card', knownBrand(sent ?? brands[0]), refused('100.370.125', NO_PROOF))
    if (about.numberType === 'PAN') return cardInstrument(call, sent, number, about)
    const instrument = deviceCard(call, sent ?? brands[0], number, about, { wallet: brands })
    const detected = sent === undefined && instrument.kind === 'usable'
    return detected ? { ...instrument, brandResult: instrument.brand } : instrument
  },
})

const cannotDecrypt = (name: string): string =>
  `the channel has no key that decrypts ${name}.paymentToken: send what is in it, card.number and the others`

/** Older clients send none, for tokens that a phone did not sign. */
function hasProof({ parameters }: Call): boolean {
  const proof = parameters.values.get('threeDSecure.verificationId')
  return proof === undefined || isBase64(new TextEncoder().encode(proof))
}

const NO_PROOF = 'threeDSecure.verificationId must be base64 text of 28 characters'
