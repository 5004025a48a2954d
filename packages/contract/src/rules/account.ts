import { isSent } from '../form.ts'
import { bankAccount } from '../parameters/bank-account.ts'
import { cardAccount } from '../parameters/card-account.ts'
import { pointOfSale } from '../parameters/point-of-sale.ts'
import { recurringMigration } from '../parameters/recurring-migration.ts'
import { tokenAccount } from '../parameters/token-account.ts'
import { virtualAccount } from '../parameters/virtual-account.ts'
import type { Section } from '../row.ts'
import {
  EMPTY,
  NO_VIOLATIONS,
  missing,
  eitherRequired,
  type Rule,
  NOT_WITH_STORED_ACCOUNT,
  type Subject,
} from './rule.ts'
import { sepaCountries } from './sepa-countries.ts'

const CARD_MISSING = 'card properties must be set'

const requiredIn = <Name extends string>({ rows }: Section<Name>): readonly Name[] =>
  rows.filter((row) => row.need === 'R').map((row) => row.name)

const cardRequires = requiredIn(cardAccount)
const bankAccountRequires = requiredIn(bankAccount)

/** The structures of accounts other than cards and bank accounts, with their required parameters. */
const otherStructures = [
  { word: 'virtualAccount', requires: requiredIn(virtualAccount) },
  { word: 'tokenAccount', requires: requiredIn(tokenAccount) },
  { word: 'pos', requires: requiredIn(pointOfSale) },
  { word: 'recurringMigration', requires: requiredIn(recurringMigration) },
]

const accounts = ['card', 'bankAccount', 'virtualAccount', 'tokenAccount', 'pos', 'giftCard']

const hasWallet = ({ structures }: Subject): boolean =>
  structures.has('walletA') || structures.has('walletB') || structures.has('walletC')

/** Whether another structure contains the card number or a number that replaces it. */
const hasCardElsewhere = (subject: Subject): boolean =>
  hasWallet(subject) ||
  isSent(subject.form, 'tokenAccount.number') ||
  (isSent(subject.form, 'pos.encryptedSred.data') && !isSent(subject.form, 'card.number'))

export const cardStructure: Rule = {
  sentence: 'The account structure (for a card: card.number, card.expiryMonth, card.expiryYear R).',
  parameters: cardRequires,
  accounts: ['new'],
  check(subject) {
    const { form, brand, structures } = subject
    const paysByCard = (structures.has('card') || brand?.kind === 'card') && !hasCardElsewhere(subject)
    return paysByCard ? missing(form, cardRequires, CARD_MISSING) : NO_VIOLATIONS
  },
}

/**
 * Whether the brand can be detected: from the leading digits of a card number, or by the wallet. The digits of a
 * substitute number identify no brand.
 */
function canDetectBrand(subject: Subject): boolean {
  const { form, structures } = subject
  if (hasWallet(subject)) return true
  if (isSent(form, 'tokenAccount.number') || form.values.get('card.numberType') === 'DPAN') return false
  return isSent(form, 'card.number') || (structures.has('card') && !isSent(form, 'pos.encryptedSred.data'))
}

export const brandOrCard: Rule = {
  sentence: 'paymentBrand: Optional when brand detection is used for cards; otherwise mandatory.',
  parameters: ['paymentBrand'],
  accounts: ['new'],
  check(subject) {
    const { form, structures } = subject
    if (form.values.has('paymentBrand') || canDetectBrand(subject)) return NO_VIOLATIONS
    const hasAccount = accounts.some((word) => structures.has(word))
    return [{ name: 'paymentBrand', message: hasAccount ? EMPTY : CARD_MISSING }]
  },
}

export const giftCardStructure: Rule = {
  // Beside another account, the parameters of a gift card are additional data and optional.
  sentence: 'The account structure (for a gift card: giftCard.number).',
  parameters: ['giftCard.number'],
  accounts: ['new'],
  check: ({ form, brand }) => (brand?.kind === 'giftCard' ? missing(form, ['giftCard.number']) : NO_VIOLATIONS),
}

export const accountStructures: Rule = {
  sentence: 'R = required: in a structure, as soon as any parameter of the structure is sent.',
  parameters: otherStructures.flatMap(({ requires }) => requires),
  accounts: ['new'],
  triggers: otherStructures.map(({ word }) => word),
  check: ({ form, structures }) =>
    otherStructures.filter(({ word }) => structures.has(word)).flatMap(({ requires }) => missing(form, requires)),
}

/**
 * Whether the request pays from a bank account. Redirect brands use single fields of the structure (name of the bank,
 * country) as hints, not as an account.
 */
function paysFromBankAccount({ brand, operation, structures }: Subject): boolean {
  if (operation.account !== 'new' || brand?.flow === 'async') return false
  return brand?.kind === 'directDebit' || structures.has('bankAccount')
}

/**
 * The parameters that identify an account. Beside a stored account, strict channels refuse them. Other parameters of
 * the structures are permitted, because they complete the stored account.
 */
const accountNumbers = ['card.number', 'bankAccount.iban', 'bankAccount.number', 'tokenAccount.number'] as const

export const storedAccount: Rule = {
  sentence: 'Later payments reference a registration so that the details need not be sent again.',
  parameters: accountNumbers,
  strictOnly: true,
  triggers: accountNumbers,
  check({ form, operation }) {
    if (operation.account !== 'stored' && form.values.get('paymentType') !== 'RB') return NO_VIOLATIONS
    return accountNumbers
      .filter((name) => isSent(form, name))
      .map((name) => ({ name, message: NOT_WITH_STORED_ACCOUNT }))
  },
}

export const bankAccountStructure: Rule = {
  sentence: 'bankAccount.holder: R.',
  parameters: bankAccountRequires,
  check: (subject) => (paysFromBankAccount(subject) ? missing(subject.form, bankAccountRequires) : NO_VIOLATIONS),
}

export const bankAccountNumber: Rule = {
  sentence: 'Number or iban is required.',
  parameters: ['bankAccount.number', 'bankAccount.iban'],
  check: (subject) =>
    paysFromBankAccount(subject) &&
    !isSent(subject.form, 'bankAccount.number') &&
    !isSent(subject.form, 'bankAccount.iban')
      ? eitherRequired('bankAccount.number', 'bankAccount.iban')
      : NO_VIOLATIONS,
}

/** Whether another bank account replaces the stored one, including its bank code and bic. */
const replacesBankAccount = ({ form, name }: Subject): boolean =>
  name === 'updateRegistration' && (isSent(form, 'bankAccount.number') || isSent(form, 'bankAccount.iban'))

export const bankCode: Rule = {
  // In SEPA the IBAN identifies the bank.
  sentence: 'bankCode or bic is required.',
  parameters: ['bankAccount.bankCode', 'bankAccount.bic'],
  check(subject) {
    const { values, secrets } = subject.form
    if (!paysFromBankAccount(subject) && !replacesBankAccount(subject)) return NO_VIOLATIONS
    if (values.has('bankAccount.bankCode') || values.has('bankAccount.bic')) return NO_VIOLATIONS
    const iban = secrets.get('bankAccount.iban')
    const country = iban?.use(([first = 0, second = 0]) => String.fromCharCode(first, second).toUpperCase())
    if (country !== undefined && sepaCountries.has(country)) return NO_VIOLATIONS
    return eitherRequired('bankAccount.bankCode', 'bankAccount.bic')
  },
}
