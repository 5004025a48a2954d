import type { BrandCode, Secret } from '@tollgate/contract'
import type { MaskedAccount } from '../records/masked-account.ts'
import { type AccountReader, brandOf, secretOf } from './account-reader.ts'
import { unusable, usable } from './instrument.ts'
import { otherBrand } from './stored-brand.ts'
import { maskedTail } from './last-four.ts'

/** The account of a shopper with a provider, named by its id: it pays at once, without the provider's page. */
export const virtualAccount: AccountReader = {
  ofForm: (call) => virtualInstrument(brandOf(call), secretOf(call, 'virtualAccount.accountId')),
  ofStored(call, stored) {
    const { brand, number, masked } = stored
    const why = otherBrand(call, stored, '100.210.102')
    if (why) return unusable('virtualAccount', brand, why, masked)
    return masked.details['agreement'] === 'true'
      ? agreementInstrument(brand, number)
      : virtualInstrument(brand, number)
  },
}

/** An agreement of a shopper with the provider of a redirect brand: its id takes the place of an account number. */
export function agreementInstrument(brand: BrandCode, number: Secret) {
  const details = { accountId: maskedTail(number), agreement: 'true' }
  const masked: MaskedAccount = { bin: null, last4: null, holder: null, expiryMonth: null, expiryYear: null, details }
  return usable({ account: 'virtualAccount', brand, number, cvv: undefined, masked, agreement: true })
}

function virtualInstrument(brand: BrandCode, number: Secret) {
  const details = { accountId: maskedTail(number) }
  const masked: MaskedAccount = { bin: null, last4: null, holder: null, expiryMonth: null, expiryYear: null, details }
  return usable({ account: 'virtualAccount', brand, number, cvv: undefined, masked })
}
