import { brands, isBrand, isCardBrand } from '../brands.ts'
import { isSent } from '../form.ts'
import { bankAccount } from '../parameters/bank-account.ts'
import { cardAccount } from '../parameters/card-account.ts'
import { pointOfSale } from '../parameters/point-of-sale.ts'
import { recurringMigration } from '../parameters/recurring-migration.ts'
import { tokenAccount } from '../parameters/token-account.ts'
import { virtualAccount } from '../parameters/virtual-account.ts'
import type { Section } from '../row.ts'
import { EMPTY, FINE, missing, neither, type Rule, STORED, type Subject } from './rule.ts'
import { sepaCountries } from './sepa-countries.ts'

const CARD = 'card properties must be set'

const requiredIn = <Name extends string>({ rows }: Section<Name>): readonly Name[] =>
  rows.filter((row) => row.need === 'R').map((row) => row.name)

const cardRequires = requiredIn(cardAccount)
const bankAccountRequires = requiredIn(bankAccount)

const otherStructures = [
  { word: 'virtualAccount', requires: requiredIn(virtualAccount) },
  { word: 'tokenAccount', requires: requiredIn(tokenAccount) },
  { word: 'pos', requires: requiredIn(pointOfSale) },
  { word: 'recurringMigration', requires: requiredIn(recurringMigration) },
]

const accounts = ['card', 'bankAccount', 'virtualAccount', 'tokenAccount', 'pos', 'giftCard']

const hasWallet = ({ structures }: Subject): boolean =>
  structures.has('walletA') || structures.has('walletB') || structures.has('walletC')

/** Whether another structure has the number of the card or its substitute. */
const hasCardElsewhere = (subject: Subject): boolean =>
  hasWallet(subject) ||
  isSent(subject.form, 'tokenAccount.number') ||
  (isSent(subject.form, 'pos.encryptedSred.data') && !isSent(subject.form, 'card.number'))

export const cardStructure: Rule = {
  sentence: 'The account structure (for a card: card.number, card.expiryMonth, card.expiryYear R).',
  blames: cardRequires,
  find(subject) {
    const { form, operation, structures } = subject
    if (operation.account !== 'new' || hasCardElsewhere(subject)) return FINE
    const needed = structures.has('card') || isCardBrand(form.values.get('paymentBrand') ?? '')
    return needed ? missing(form, cardRequires, CARD) : FINE
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
  blames: ['paymentBrand'],
  find(subject) {
    const { form, operation, structures } = subject
    if (operation.account !== 'new' || form.values.has('paymentBrand') || canDetectBrand(subject)) return FINE
    const account = accounts.some((word) => structures.has(word))
    return [{ name: 'paymentBrand', message: account ? EMPTY : CARD }]
  },
}

export const giftCardStructure: Rule = {
  // Beside another account, its parameters are additional data and optional.
  sentence: 'The account structure (for a gift card: giftCard.number).',
  blames: ['giftCard.number'],
  find({ form, operation }) {
    const code = form.values.get('paymentBrand') ?? ''
    const pays = operation.account === 'new' && isBrand(code) && brands[code].kind === 'giftCard'
    return pays ? missing(form, ['giftCard.number']) : FINE
  },
}

export const accountStructures: Rule = {
  sentence: 'R = required: in a structure, as soon as any parameter of the structure is sent.',
  blames: otherStructures.flatMap(({ requires }) => requires),
  structures: otherStructures.map(({ word }) => word),
  find: ({ form, operation, structures }) =>
    operation.account === 'new'
      ? otherStructures.filter(({ word }) => structures.has(word)).flatMap(({ requires }) => missing(form, requires))
      : FINE,
}

/**
 * Whether a bank account pays. Redirect brands use single fields of the structure (name of the bank, country) as hints,
 * not as an account.
 */
function paysFromBankAccount({ form, operation, structures }: Subject): boolean {
  if (operation.account !== 'new') return false
  const code = form.values.get('paymentBrand') ?? ''
  if (!isBrand(code)) return structures.has('bankAccount')
  const { kind, flow } = brands[code]
  return flow === 'sync' && (kind === 'directDebit' || structures.has('bankAccount'))
}

/** Account numbers. A structure without them completes the stored account. */
const numbers = ['card.number', 'bankAccount.iban', 'bankAccount.number', 'tokenAccount.number'] as const

export const storedAccount: Rule = {
  sentence: 'Later payments reference a registration so that the details need not be sent again.',
  blames: numbers,
  strictOnly: true,
  structures: ['card', 'bankAccount', 'tokenAccount'],
  find({ form, operation }) {
    if (operation.account !== 'stored' && form.values.get('paymentType') !== 'RB') return FINE
    return numbers.filter((name) => isSent(form, name)).map((name) => ({ name, message: STORED }))
  },
}

export const bankAccountStructure: Rule = {
  sentence: 'bankAccount.holder: R.',
  blames: bankAccountRequires,
  find: (subject) => (paysFromBankAccount(subject) ? missing(subject.form, bankAccountRequires) : FINE),
}

export const bankAccountNumber: Rule = {
  sentence: 'Number or iban is required.',
  blames: ['bankAccount.number', 'bankAccount.iban'],
  find: (subject) =>
    paysFromBankAccount(subject) &&
    !isSent(subject.form, 'bankAccount.number') &&
    !isSent(subject.form, 'bankAccount.iban')
      ? neither('bankAccount.number', 'bankAccount.iban')
      : FINE,
}

/** Whether another bank account replaces the stored one, including its bank code and bic. */
const replacesBankAccount = ({ form, name }: Subject): boolean =>
  name === 'updateRegistration' && (isSent(form, 'bankAccount.number') || isSent(form, 'bankAccount.iban'))

export const bankCode: Rule = {
  // In SEPA the IBAN identifies the bank.
  sentence: 'bankCode or bic is required.',
  blames: ['bankAccount.bankCode', 'bankAccount.bic'],
  find(subject) {
    const { values, secrets } = subject.form
    if (!paysFromBankAccount(subject) && !replacesBankAccount(subject)) return FINE
    if (values.has('bankAccount.bankCode') || values.has('bankAccount.bic')) return FINE
    const iban = secrets.get('bankAccount.iban')
    const country = iban?.use(([first = 0, second = 0]) => String.fromCharCode(first, second).toUpperCase())
    if (country !== undefined && sepaCountries.has(country)) return FINE
    return neither('bankAccount.bankCode', 'bankAccount.bic')
  },
}
