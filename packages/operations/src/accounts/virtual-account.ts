import type { BrandCode, Secret } from '@tollgate/contract'
import { maskedAccount } from '../records/masked-account.ts'
import { type AccountReader, brandOf, secretOf } from './account-reader.ts'
import { unusable, usable, type UsableInstrument } from './instrument.ts'
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
export const agreementInstrument = (brand: BrandCode, number: Secret): UsableInstrument =>
  virtualInstrument(brand, number, true)

function virtualInstrument(brand: BrandCode, number: Secret, agreement?: true): UsableInstrument {
  const masked = maskedAccount({ details: { accountId: maskedTail(number), agreement: agreement && 'true' } })
  return usable({ account: 'virtualAccount', brand, number, cvv: undefined, masked, agreement })
}
