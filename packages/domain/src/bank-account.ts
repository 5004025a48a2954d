import { type BrandCode, brands, isBrand, isSepaBrand, type Secret, sepaCountries } from '@tollgate/contract'
import { bicCountry } from './bic.ts'
import { hasBegun, hasEnded } from './day.ts'
import { firstFailure, type Guard, invariant, type Refused } from './guard.ts'
import { type Iban, readIban } from './iban.ts'
import type { PaymentType } from './payment/transaction.ts'

/** A bank account of a request or registration. Its parameters are well-formed. */
export interface BankAccount {
  /** IBAN or national account number: 3 to 64 ASCII letters or digits. */
  readonly number: Secret | undefined
  readonly holder: string | undefined
  /** 8 or 11 letters or digits. */
  readonly bic: string | undefined
  /** ISO 3166-1 alpha-2, in either case. */
  readonly country: string | undefined
  /** The holder's consent to direct debits. */
  readonly mandate: Mandate | undefined
}

/** The reference of a mandate. */
export interface Mandate {
  readonly id: string | undefined
  /** yyyy-MM-dd. */
  readonly dateOfSignature: string | undefined
}

/** The use of a bank account by a request. */
export interface BankAccountUse {
  /** paymentBrand. */
  readonly brand: string | undefined
  /** undefined: the account is stored without a payment. */
  readonly type: PaymentType | undefined
  readonly currency: string | undefined
  /** transactionDueDate, yyyy-MM-dd: the date to collect a direct debit; absent: as soon as possible. */
  readonly dueDate: string | undefined
}

/** The data of a valid bank account that may be stored and shown. */
export interface CheckedBankAccount {
  readonly kind: 'bankAccount'
  readonly brand: BrandCode
  /** ISO 3166-1 alpha-2, upper case; as sent, else that of the IBAN or BIC. */
  readonly country: string
}

interface Subject {
  readonly account: BankAccount
  readonly use: BankAccountUse
  readonly brand: BrandCode | undefined
  /** undefined: a national account number. */
  readonly iban: Iban | undefined
  /** Whether the number has a digit other than 0. */
  readonly hasNonZeroDigit: boolean
  /** bankAccount.country, upper case. */
  readonly statedCountry: string | undefined
  readonly bicCountry: string | undefined
  readonly country: string | undefined
  readonly nowMs: number
}

const isSepa = ({ brand }: Subject): boolean => brand !== undefined && isSepaBrand(brand)

/** A direct debit needs the holder's mandate; a credit transfer needs none. */
const needsMandate = (subject: Subject): boolean => isSepa(subject) && subject.use.type === 'DB'

/** The guards check the brand first, then the account, then its use. */
const guards: readonly Guard<Subject>[] = [
  {
    code: '600.200.100',
    reason: 'paymentBrand is not a known brand',
    holds: ({ brand }) => brand !== undefined,
  },
  {
    code: '600.200.200',
    reason: 'no connector of this channel supports a bank account for this paymentBrand',
    holds: ({ brand }) => brand !== undefined && isChargedDirectly(brand),
  },
  {
    code: '100.100.400',
    reason: 'bankAccount.holder is missing',
    holds: ({ account }) => account.holder !== undefined,
  },
  {
    code: '100.100.100',
    reason: 'bankAccount.iban and bankAccount.number are missing: one of them is needed',
    holds: ({ account }) => account.number !== undefined,
  },
  {
    code: '100.200.100',
    reason: 'the account number begins like an IBAN, but its country has no IBANs',
    holds: ({ iban }) => iban?.isIbanCountry ?? true,
  },
  {
    code: '100.200.104',
    reason: 'the IBAN has wrong check digits, or another length than IBANs of its country',
    holds: ({ iban }) => iban?.isValid ?? true,
  },
  {
    code: '100.200.104',
    reason: 'bankAccount.number must be an IBAN, or contain a digit other than 0',
    holds: ({ hasNonZeroDigit }) => hasNonZeroDigit,
  },
  {
    code: '100.200.103',
    reason:
      'bankAccount.bic must be four letters or digits, the two letters of a country, two letters or digits, and ' +
      'three more for a branch',
    holds: (subject) => subject.account.bic === undefined || subject.bicCountry !== undefined,
  },
  {
    code: '100.200.100',
    reason: 'bankAccount.country is missing: send it, an IBAN or bankAccount.bic',
    holds: ({ country }) => country !== undefined,
  },
  {
    code: '100.200.100',
    reason: 'bankAccount.country must be the country of the IBAN',
    holds: ({ statedCountry, iban }) => areConsistent(statedCountry, iban?.country),
  },
  {
    code: '100.200.103',
    reason: 'bankAccount.bic must be of a bank in the country of the account',
    holds: (subject) => areConsistent(subject.bicCountry, subject.country),
  },
  {
    code: '100.200.100',
    reason: 'the account must be in a country that takes part in SEPA',
    holds: (subject) => !isSepa(subject) || sepaCountries.has(ibanCountryOf(subject.country ?? '')),
  },
  {
    code: '600.200.500',
    reason: 'SEPA payments are in euro only: send currency EUR',
    holds: (subject) => !isSepa(subject) || subject.use.type === undefined || subject.use.currency === 'EUR',
  },
  {
    code: '100.200.200',
    reason: 'a direct debit needs the mandate that the holder has signed: bankAccount.mandate.id is missing',
    holds: (subject) => !needsMandate(subject) || subject.account.mandate?.id !== undefined,
  },
  {
    code: '100.500.302',
    reason: 'a direct debit needs the date of its mandate: bankAccount.mandate.dateOfSignature is missing',
    holds: (subject) => !needsMandate(subject) || subject.account.mandate?.dateOfSignature !== undefined,
  },
  {
    code: '100.500.302',
    reason: 'bankAccount.mandate.dateOfSignature must not be later than today',
    holds: ({ account, nowMs }) => hasBegun(account.mandate?.dateOfSignature, nowMs),
  },
  {
    code: '100.500.301',
    reason: 'transactionDueDate must not be before today',
    holds: ({ use, nowMs }) => use.type !== 'DB' || !hasEnded(use.dueDate, nowMs),
  },
]

/**
 * Checks the data of a bank account that is to be debited, credited or stored.
 *
 * Source: ISO 13616 (IBAN), ISO 9362 (BIC), the SEPA direct debit rulebook (mandates, euro).
 *
 * @param nowMs epoch milliseconds
 * @returns the account; refused with the code and reason of the first guard that does not hold
 */
export function checkBankAccount(
  account: BankAccount,
  use: BankAccountUse,
  nowMs: number,
): CheckedBankAccount | Refused {
  const { iban, hasNonZeroDigit } = account.number?.use(readNumber) ?? { iban: undefined, hasNonZeroDigit: false }
  const brand = use.brand !== undefined && isBrand(use.brand) ? use.brand : undefined
  const statedCountry = account.country?.toUpperCase()
  const countryOfBic = account.bic === undefined ? undefined : bicCountry(account.bic.toUpperCase())
  const country = statedCountry ?? iban?.country ?? countryOfBic
  const subject = {
    account,
    use,
    brand,
    iban,
    hasNonZeroDigit,
    statedCountry,
    bicCountry: countryOfBic,
    country,
    nowMs,
  }
  const refusal = firstFailure(guards, subject)
  if (refusal) return refusal
  invariant(brand !== undefined && country !== undefined, 'brand and country passed the guards')
  return { kind: 'bankAccount', brand, country }
}

/** Whether a brand is charged to a bank account directly; other brands redirect the shopper to the bank. */
function isChargedDirectly(brand: BrandCode): boolean {
  const { kind, flow } = brands[brand]
  return flow === 'sync' && (kind === 'directDebit' || kind === 'onlineTransfer')
}

const readNumber = (characters: Uint8Array) => ({
  iban: readIban(characters),
  hasNonZeroDigit: characters.some((byte) => byte > 0x30 && byte <= 0x39),
})

/** Territories whose banks use the IBANs of another country. The BIC of such a bank contains either country. */
const territories: Readonly<Record<string, readonly string[]>> = {
  FI: ['AX'],
  FR: ['BL', 'GF', 'GP', 'MF', 'MQ', 'NC', 'PF', 'PM', 'RE', 'TF', 'WF', 'YT'],
  GB: ['GG', 'IM', 'JE'],
}

const ibanCountries: ReadonlyMap<string, string> = new Map(
  Object.entries(territories).flatMap(([country, parts]) => parts.map((part) => [part, country])),
)

/** The country whose IBANs the banks of a country or territory use. */
const ibanCountryOf = (country: string): string => ibanCountries.get(country) ?? country

const areConsistent = (left: string | undefined, right: string | undefined): boolean =>
  left === undefined || right === undefined || ibanCountryOf(left) === ibanCountryOf(right)
