import type { BrandCode, Secret } from '@tollgate/contract'
import { storedBrandRefusal } from '@tollgate/domain'
import type { SentVirtualAccount } from '../parameters/account.ts'
import { maskedAccount } from '../records/masked-account.ts'
import { unusable, usable, type UsableInstrument } from './instrument.ts'
import { maskedLastFour } from './last-four.ts'
import type { StoredAccountReader } from './stored-account.ts'

/** A shopper's account at a provider, identified by its id. It is charged directly, without the provider's page. */
export const sentVirtualAccount = ({ brand, number }: SentVirtualAccount): UsableInstrument =>
  virtualInstrument(brand, number)

export const storedVirtualAccount: StoredAccountReader = (request, stored) => {
  const { brand, number, masked } = stored
  const refusal = storedBrandRefusal(request.purpose.paymentBrand, brand, '100.210.102')
  if (refusal) return unusable('virtualAccount', brand, refusal, masked)
  return masked.details['agreement'] === 'true' ? agreementInstrument(brand, number) : virtualInstrument(brand, number)
}

/** An agreement of a shopper with the provider of a redirect brand. Its id is used like an account number. */
export const agreementInstrument = (brand: BrandCode, number: Secret): UsableInstrument =>
  virtualInstrument(brand, number, true)

function virtualInstrument(brand: BrandCode, number: Secret, isAgreement?: true): UsableInstrument {
  const masked = maskedAccount({ details: { accountId: maskedLastFour(number), agreement: isAgreement && 'true' } })
  return usable({ account: 'virtualAccount', brand, number, cvv: undefined, masked, isAgreement })
}
