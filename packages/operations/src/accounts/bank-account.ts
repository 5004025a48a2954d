import type { BrandCode, Secret } from '@tollgate/contract'
import { checkBankAccount, type Mandate, storedBrandRefusal } from '@tollgate/domain'
import type { SentBankAccount } from '../parameters/account.ts'
import type { AccountRequest } from '../parameters/account-request.ts'
import { knownBrand } from '../parameters/payment-brand.ts'
import { type AccountDetails, type MaskedAccount, maskedAccount } from '../records/masked-account.ts'
import { type Instrument, unusable, usable } from './instrument.ts'
import { tailOf } from './last-four.ts'
import { isRedirected } from './redirected.ts'
import type { StoredAccountReader } from './stored-account.ts'

/** Everything about a bank account but its number. */
type About = Omit<SentBankAccount, 'structure' | 'number'>

export function sentBankAccount(request: AccountRequest, sent: SentBankAccount): Instrument {
  const { paymentBrand } = request.purpose
  const brand = knownBrand(paymentBrand)
  if (brand && isRedirected({ brand })) return redirectInstrument(brand, sent)
  return bankInstrument(request, paymentBrand, sent.number, sent)
}

export const storedBankAccount: StoredAccountReader = (request, stored) => {
  const { brand, number, masked } = stored
  const { holder, details } = masked
  const { account } = request
  const why = storedBrandRefusal(request.purpose.paymentBrand, brand, '600.200.500')
  if (why) return unusable('bankAccount', brand, why, masked)
  return bankInstrument(request, brand, number, {
    holder: holder ?? account.bankAccountHolder,
    bankName: text(details['bankName']),
    bankCode: text(details['bankCode']),
    bic: text(details['bic'])?.toUpperCase(),
    country: text(details['country'])?.toUpperCase(),
    mandate: account.mandate ?? storedMandate(details['mandate']),
    dueDate: account.dueDate,
  })
}

/** The masked form of a bank account that is neither charged nor stored. */
export function maskedBankAccount({ number, ...about }: SentBankAccount): MaskedAccount {
  number?.use(toUpperCase)
  return maskedAccountOf(number, about)
}

/**
 * The bank account in a request with a redirect method; the provider's page can choose the bank by it. The gateway does
 * not charge it, so no fault of it is a reason to refuse, and its number is not stored.
 */
const redirectInstrument = (brand: BrandCode, sent: SentBankAccount): Instrument =>
  usable({ account: 'bankAccount', brand, number: undefined, cvv: undefined, masked: maskedBankAccount(sent) })

/** A bank account, wherever it came from. */
function bankInstrument(
  { purpose, money, atMs }: AccountRequest,
  brand: string | undefined,
  number: Secret | undefined,
  about: About,
): Instrument {
  number?.use(toUpperCase)
  const { holder, bic, mandate, dueDate } = about
  const checked = checkBankAccount(
    { number, holder, bic, country: about.country, mandate },
    { brand, type: purpose.type, currency: money.currency, dueDate },
    atMs,
  )
  if (checked.kind === 'refused') {
    return unusable('bankAccount', knownBrand(brand), checked, maskedAccountOf(number, about))
  }
  const masked = maskedAccountOf(number, { ...about, country: checked.country })
  return usable({ account: 'bankAccount', brand: checked.brand, number, cvv: undefined, masked })
}

function maskedAccountOf(number: Secret | undefined, about: About): MaskedAccount {
  const { holder, bankName, bankCode, bic, country, mandate } = about
  const details = { bankName, bankCode, bic, country, mandate: mandate && { ...mandate } }
  return maskedAccount({ last4: number && tailOf(number), holder, details })
}

function storedMandate(stored: AccountDetails[string]): Mandate | undefined {
  if (typeof stored !== 'object') return undefined
  return { id: text(stored['id']), dateOfSignature: text(stored['dateOfSignature']) }
}

const text = (stored: AccountDetails[string]): string | undefined => (typeof stored === 'string' ? stored : undefined)

/** In place: a number is sealed and recognised in one form, and a copy of it would have to be erased, too. */
function toUpperCase(characters: Uint8Array): void {
  for (const [at, byte] of characters.entries()) if (byte >= 0x61 && byte <= 0x7a) characters[at] = byte - 0x20
}
