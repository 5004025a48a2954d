import type { BrandCode, Secret } from '@tollgate/contract'
import { checkBankAccount, type Mandate, storedBrandRefusal } from '@tollgate/domain'
import type { SentBankAccount } from '../parameters/account.ts'
import type { AccountRequest } from '../parameters/account-request.ts'
import { knownBrand } from '../parameters/payment-brand.ts'
import { type AccountDetails, type MaskedAccount, maskedAccount } from '../records/masked-account.ts'
import { type Instrument, unusable, usable } from './instrument.ts'
import { lastFourOf } from './last-four.ts'
import { isRedirected } from './redirected.ts'
import type { StoredAccountReader } from './stored-account.ts'

/** The fields of a bank account except its number. */
type BankAccountFields = Omit<SentBankAccount, 'structure' | 'number'>

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
  const refusal = storedBrandRefusal(request.purpose.paymentBrand, brand, '600.200.500')
  if (refusal) return unusable('bankAccount', brand, refusal, masked)
  return bankInstrument(request, brand, number, {
    holder: holder ?? account.bankAccountHolder,
    bankName: textOf(details['bankName']),
    bankCode: textOf(details['bankCode']),
    bic: textOf(details['bic'])?.toUpperCase(),
    country: textOf(details['country'])?.toUpperCase(),
    mandate: account.mandate ?? storedMandate(details['mandate']),
    dueDate: account.dueDate,
  })
}

/** The masked account of a bank account that is not charged and whose number is not stored. */
export function maskedBankAccount({ number, ...fields }: SentBankAccount): MaskedAccount {
  number?.use(toUpperCase)
  return maskedAccountOf(number, fields)
}

/**
 * The bank account in a request with a redirect brand, by which the provider's page can preselect the bank. The gateway
 * does not charge the account, so it is not validated and its number is not stored.
 */
const redirectInstrument = (brand: BrandCode, sent: SentBankAccount): Instrument =>
  usable({ account: 'bankAccount', brand, number: undefined, cvv: undefined, masked: maskedBankAccount(sent) })

/** The instrument of a sent or stored bank account. */
function bankInstrument(
  { purpose, money, atMs }: AccountRequest,
  brand: string | undefined,
  number: Secret | undefined,
  fields: BankAccountFields,
): Instrument {
  number?.use(toUpperCase)
  const { holder, bic, mandate, dueDate } = fields
  const checked = checkBankAccount(
    { number, holder, bic, country: fields.country, mandate },
    { brand, type: purpose.type, currency: money.currency, dueDate },
    atMs,
  )
  if (checked.kind === 'refused') {
    return unusable('bankAccount', knownBrand(brand), checked, maskedAccountOf(number, fields))
  }
  const masked = maskedAccountOf(number, { ...fields, country: checked.country })
  return usable({ account: 'bankAccount', brand: checked.brand, number, cvv: undefined, masked })
}

function maskedAccountOf(number: Secret | undefined, fields: BankAccountFields): MaskedAccount {
  const { holder, bankName, bankCode, bic, country, mandate } = fields
  const details = { bankName, bankCode, bic, country, mandate: mandate && { ...mandate } }
  return maskedAccount({ last4: number && lastFourOf(number), holder, details })
}

function storedMandate(stored: AccountDetails[string]): Mandate | undefined {
  if (typeof stored !== 'object') return undefined
  return { id: textOf(stored['id']), dateOfSignature: textOf(stored['dateOfSignature']) }
}

const textOf = (stored: AccountDetails[string]): string | undefined => (typeof stored === 'string' ? stored : undefined)

/** Converts in place, because a copy would also have to be erased. Numbers are sealed and compared in upper case. */
function toUpperCase(characters: Uint8Array): void {
  for (const [index, byte] of characters.entries()) if (byte >= 0x61 && byte <= 0x7a) characters[index] = byte - 0x20
}
