import { checkCardBrand } from '@tollgate/domain'
import type { SentTerminalCard } from '../parameters/account.ts'
import type { AccountRequest } from '../parameters/account-request.ts'
import { knownBrand } from '../parameters/payment-brand.ts'
import { maskedAccount } from '../records/masked-account.ts'
import { sentCard } from './card.ts'
import { type Instrument, unusable, usable } from './instrument.ts'

/**
 * The instrument of a card that a terminal read. If the terminal encrypted the card for the acquirer
 * (pos.encryptedSred), the gateway cannot decrypt its number: nothing is sealed, and answers contain only the other
 * parameters of the card.
 */
export function sentTerminalCard(request: AccountRequest, { card, isEncrypted }: SentTerminalCard): Instrument {
  const { number, holder, expiryMonth, expiryYear, cvv } = card
  if (number || !isEncrypted) return sentCard(request, card)
  const { paymentBrand } = request.purpose
  const masked = maskedAccount({ holder, expiryMonth, expiryYear })
  const checked = checkCardBrand(paymentBrand)
  if (checked.kind === 'refused') return unusable('card', knownBrand(paymentBrand), checked, masked)
  return usable({ account: 'card', brand: checked.brand, number: undefined, cvv, masked })
}
