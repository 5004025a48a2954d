import type { BrandCode, Secret } from '@tollgate/contract'
import type { Call } from '../request.ts'
import { maskedAccount } from '../records/masked-account.ts'
import { type AccountReader, brandOf, secretOf } from './account-reader.ts'
import { unusable, usable } from './instrument.ts'
import { otherBrand } from './stored-brand.ts'
import { tailOf } from './last-four.ts'

/** A gift card that pays, by a brand of gift cards; beside another account its parameters are data. */
export const giftCard: AccountReader = {
  ofForm(call) {
    const holder = call.parameters.values.get('giftCard.holder') ?? null
    return giftCardInstrument(call, brandOf(call), secretOf(call, 'giftCard.number'), holder)
  },
  ofStored(call, stored) {
    const { brand, number, masked } = stored
    const why = otherBrand(call, stored, '100.210.102')
    return why ? unusable('giftCard', brand, why, masked) : giftCardInstrument(call, brand, number, masked.holder)
  },
}

function giftCardInstrument({ parameters }: Call, brand: BrandCode, number: Secret, holder: string | null) {
  const details = { message: parameters.values.get('giftCard.message'), type: parameters.values.get('giftCard.type') }
  const masked = maskedAccount({ last4: tailOf(number), holder, details })
  return usable({ account: 'giftCard', brand, number, cvv: parameters.secrets.get('giftCard.pin'), masked })
}
