import type { BrandCode, Secret } from '@tollgate/contract'
import { checkBankAccount, type Mandate } from '@tollgate/domain'
import { isRedirected } from './redirected.ts'
import type { Call } from '../request.ts'
import { type AccountDetails, maskedAccount, type MaskedAccount } from '../records/masked-account.ts'
import { openingType } from '../records/payment-type.ts'
import { type AccountReader, holderInstead } from './account-reader.ts'
import { type Instrument, unusable, usable } from './instrument.ts'
import { knownBrand } from './payment-brand.ts'
import { otherBrand } from './stored-brand.ts'
import { tailOf } from './last-four.ts'

export const bankAccount: AccountReader = {
  ofForm(call) {
    const brand = knownBrand(call.parameters.values.get('paymentBrand'))
    if (brand && isRedirected({ brand })) return redirectInstrument(call, brand)
    return bankInstrument(call, sentNumber(call), sentAbout(call))
  },
  ofStored(call, stored) {
    const { brand, number, masked } = stored
    const { holder, details } = masked
    const why = otherBrand(call, stored, '600.200.500')
    if (why) return unusable('bankAccount', brand, why, masked)
    return bankInstrument(call, number, {
      brand,
      holder: holder ?? holderInstead(call, 'bankAccount'),
      bankName: text(details['bankName']),
      bankCode: text(details['bankCode']),
      bic: text(details['bic'])?.toUpperCase(),
      country: text(details['country'])?.toUpperCase(),
      mandate: sentMandate(call) ?? storedMandate(details['mandate']),
    })
  },
}

/** Everything about a bank account but its number. */
interface About {
  readonly brand: string | undefined
  readonly holder: string | undefined
  readonly bankName: string | undefined
  readonly bankCode: string | undefined
  readonly bic: string | undefined
  readonly country: string | undefined
  readonly mandate: Mandate | undefined
}

/** The number of the bank account in a request: its IBAN, or else the national one. */
export const sentNumber = ({ parameters: { secrets } }: Call): Secret | undefined =>
  secrets.get('bankAccount.iban') ?? secrets.get('bankAccount.number')

function sentAbout(call: Call): About {
  const { values } = call.parameters
  return {
    brand: values.get('paymentBrand'),
    holder: values.get('bankAccount.holder'),
    bankName: values.get('bankAccount.bankName'),
    bankCode: values.get('bankAccount.bankCode'),
    bic: values.get('bankAccount.bic')?.toUpperCase(),
    country: values.get('bankAccount.country')?.toUpperCase(),
    mandate: sentMandate(call),
  }
}

/** What a request tells of a bank account, with which nothing is paid or stored. */
export function sentBankAccount(call: Call): { readonly number: Secret | undefined; readonly masked: MaskedAccount } {
  const number = sentNumber(call)
  number?.use(toUpperCase)
  return { number, masked: maskedAccountOf(number, sentAbout(call)) }
}

/**
 * The bank account in a request with a redirect method, by which the provider's page can choose the bank. Nothing is
 * drawn on it here, so nothing about it is a reason to refuse, and its number is not stored.
 */
const redirectInstrument = (call: Call, brand: BrandCode): Instrument =>
  usable({ account: 'bankAccount', brand, number: undefined, cvv: undefined, masked: sentBankAccount(call).masked })

/** A bank account, wherever it came from. */
function bankInstrument(call: Call, number: Secret | undefined, about: About): Instrument {
  const { values } = call.parameters
  number?.use(toUpperCase)
  const { brand, holder, bic, mandate } = about
  const checked = checkBankAccount(
    { number, holder, bic, country: about.country, mandate },
    {
      brand,
      type: openingType(values.get('paymentType')),
      currency: values.get('currency'),
      dueDate: values.get('transactionDueDate'),
    },
    call.atMs,
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

/** The mandate of a request, as a whole: an id of one and the date of another would be a mandate that nobody signed. */
function sentMandate({ parameters: { values } }: Call): Mandate | undefined {
  const id = values.get('bankAccount.mandate.id')
  const dateOfSignature = values.get('bankAccount.mandate.dateOfSignature')
  return id === undefined && dateOfSignature === undefined ? undefined : { id, dateOfSignature }
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
