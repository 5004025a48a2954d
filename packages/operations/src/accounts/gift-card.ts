import type { BrandCode, Secret } from '@tollgate/contract'
import { storedBrandRefusal } from '@tollgate/domain'
import type { SentGiftCard } from '../parameters/account.ts'
import { maskedAccount } from '../records/masked-account.ts'
import { unusable, usable } from './instrument.ts'
import { lastFourOf } from './last-four.ts'
import type { StoredAccountReader } from './stored-account.ts'

/** A gift card as the account of a payment. With a brand of another kind, its parameters are only echoed. */
export const sentGiftCard = (sent: SentGiftCard) => giftCardInstrument(sent.brand, sent.number, sent)

export const storedGiftCard: StoredAccountReader = (request, stored) => {
  const { brand, number, masked } = stored
  const refusal = storedBrandRefusal(request.purpose.paymentBrand, brand, '100.210.102')
  if (refusal) return unusable('giftCard', brand, refusal, masked)
  const { message, giftCardType: type, pin } = request.account
  return giftCardInstrument(brand, number, { holder: masked.holder ?? undefined, message, type, pin })
}

function giftCardInstrument(
  brand: BrandCode,
  number: Secret,
  { holder, message, type, pin }: Pick<SentGiftCard, 'holder' | 'message' | 'type' | 'pin'>,
) {
  const masked = maskedAccount({ last4: lastFourOf(number), holder, details: { message, type } })
  return usable({ account: 'giftCard', brand, number, cvv: pin, masked })
}
