import type { Secret } from '@tollgate/contract'
import { checkPaymentToken } from '@tollgate/domain'
import type { Call } from '../request.ts'
import { maskedAccount, type MaskedAccount } from '../records/masked-account.ts'
import { type AccountReader, secretOf } from './account-reader.ts'
import { type Instrument, unusable, usable } from './instrument.ts'
import { knownBrand } from './payment-brand.ts'
import { otherBrand } from './stored-brand.ts'
import { tailOf } from './last-four.ts'

/** A token of a card network (NETWORK), or of another provider (EXTERNAL). */
export const tokenAccount: AccountReader = {
  ofForm(call) {
    const { values } = call.parameters
    const number = secretOf(call, 'tokenAccount.number')
    const masked = maskedAccount({
      last4: tailOf(number),
      expiryMonth: values.get('tokenAccount.expiryMonth'),
      expiryYear: values.get('tokenAccount.expiryYear'),
      details: { type: values.get('tokenAccount.type') },
    })
    return tokenInstrument(call, values.get('paymentBrand'), number, masked)
  },
  ofStored(call, stored) {
    const { brand, number, masked } = stored
    const why = otherBrand(call, stored, '100.100.700')
    if (why) return unusable('tokenAccount', brand, why, masked)
    return tokenInstrument(call, brand, number, { ...masked, last4: tailOf(number) })
  },
}

function tokenInstrument(call: Call, brand: string | undefined, number: Secret, masked: MaskedAccount): Instrument {
  const { secrets } = call.parameters
  const isOfNetwork = masked.details.type === 'NETWORK'
  const dtvc = secrets.get('tokenAccount.dtvc')
  const checked = checkPaymentToken(
    {
      number,
      brand,
      source: isOfNetwork ? 'network' : 'provider',
      expiryMonth: masked.expiryMonth ?? undefined,
      expiryYear: masked.expiryYear ?? undefined,
      cryptogram: secrets.get('tokenAccount.cryptogram'),
      dtvc,
    },
    call.atMs,
    { proofRequired: isOfNetwork && isPaidByShopper(call) },
  )
  if (checked.kind === 'refused') return unusable('tokenAccount', knownBrand(brand), checked, masked)
  return usable({ account: 'tokenAccount', brand: checked.brand, number, cvv: dtvc, masked })
}

const shopperPays = new Set(['PA', 'DB', 'PA.CP'])

/** A debit or a hold that the merchant does not initiate alone: not a payout, a rebill or a registration. */
const isPaidByShopper = ({ parameters: { values } }: Call): boolean =>
  shopperPays.has(values.get('paymentType') ?? '') && values.get('standingInstruction.source') !== 'MIT'
