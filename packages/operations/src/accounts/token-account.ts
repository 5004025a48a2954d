import type { Secret } from '@tollgate/contract'
import { checkPaymentToken, storedBrandRefusal } from '@tollgate/domain'
import type { SentTokenAccount } from '../parameters/account.ts'
import type { AccountRequest } from '../parameters/account-request.ts'
import { knownBrand } from '../parameters/payment-brand.ts'
import { type MaskedAccount, maskedAccount } from '../records/masked-account.ts'
import { type Instrument, unusable, usable } from './instrument.ts'
import { lastFourOf } from './last-four.ts'
import type { StoredAccountReader } from './stored-account.ts'

/** The proof that the shopper has the token. */
type TokenProof = Pick<SentTokenAccount, 'cryptogram' | 'dtvc'>

/** The instrument of a token of a card network (NETWORK) or of another provider (EXTERNAL). */
export function sentTokenAccount(request: AccountRequest, sent: SentTokenAccount): Instrument {
  const { number, expiryMonth, expiryYear, type } = sent
  const masked = maskedAccount({ last4: lastFourOf(number), expiryMonth, expiryYear, details: { type } })
  return tokenInstrument(request, request.purpose.paymentBrand, number, masked, sent)
}

export const storedTokenAccount: StoredAccountReader = (request, stored) => {
  const { brand, number, masked } = stored
  const refusal = storedBrandRefusal(request.purpose.paymentBrand, brand, '100.100.700')
  if (refusal) return unusable('tokenAccount', brand, refusal, masked)
  return tokenInstrument(request, brand, number, { ...masked, last4: lastFourOf(number) }, request.account)
}

function tokenInstrument(
  request: AccountRequest,
  brand: string | undefined,
  number: Secret,
  masked: MaskedAccount,
  { cryptogram, dtvc }: TokenProof,
): Instrument {
  const isOfNetwork = masked.details.type === 'NETWORK'
  const checked = checkPaymentToken(
    {
      number,
      brand,
      source: isOfNetwork ? 'network' : 'provider',
      expiryMonth: masked.expiryMonth ?? undefined,
      expiryYear: masked.expiryYear ?? undefined,
      cryptogram,
      dtvc,
    },
    request.atMs,
    { isProofRequired: isOfNetwork && isPaidByShopper(request) },
  )
  if (checked.kind === 'refused') return unusable('tokenAccount', knownBrand(brand), checked, masked)
  return usable({ account: 'tokenAccount', brand: checked.brand, number, cvv: dtvc, masked })
}

const shopperPaymentTypes = new Set(['PA', 'DB', 'PA.CP'])

/** A debit or preauthorisation that is not merchant-initiated; not a payout, rebill or registration. */
const isPaidByShopper = ({ purpose, instruction }: AccountRequest): boolean =>
  shopperPaymentTypes.has(purpose.sentType ?? '') && instruction.source !== 'MIT'
