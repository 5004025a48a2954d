import { walletBrands } from '@tollgate/contract'
import { isBase64, refused } from '@tollgate/domain'
import type { SentWallet } from '../parameters/account.ts'
import type { AccountRequest } from '../parameters/account-request.ts'
import { knownBrand } from '../parameters/payment-brand.ts'
import { cardInstrument } from './card.ts'
import { deviceCard } from './device-card.ts'
import { type Instrument, unusable } from './instrument.ts'

/**
 * "Each wallet has two modes. Encrypted mode: the service decrypts. Decrypted mode: the merchant sends card.number …".
 * The gateway has no keys of wallets, so it refuses encrypted mode. The number is a device account number unless
 * card.numberType is PAN.
 */
export function sentWallet(request: AccountRequest, { structure, card, proof }: SentWallet): Instrument {
  const { paymentBrand } = request.purpose
  const { number, numberType } = card
  // The brands of the wallet, the default first. The brand of the card may be sent instead.
  const wallet = walletBrands[structure]
  const brand = paymentBrand ?? wallet[0]
  if (!number) return unusable('card', knownBrand(brand), refused('600.200.201', cannotDecrypt(structure)))
  if (!isValidProof(proof)) return unusable('card', knownBrand(brand), refused('100.370.125', INVALID_PROOF))
  if (numberType === 'PAN') return cardInstrument(request, paymentBrand, number, card)
  const instrument = deviceCard(request, brand, number, card, { wallet })
  const isDetected = paymentBrand === undefined && instrument.kind === 'usable'
  return isDetected ? { ...instrument, brandResult: instrument.brand } : instrument
}

const cannotDecrypt = (name: string): string =>
  `the channel has no key for ${name}.paymentToken: send its decrypted content, card.number and other card parameters`

/** Whether the proof is valid or absent: older clients send no proof for tokens without a cryptogram. */
const isValidProof = (proof: string | undefined): boolean =>
  proof === undefined || isBase64(new TextEncoder().encode(proof))

const INVALID_PROOF = 'threeDSecure.verificationId must be base64 text of 28 characters'
