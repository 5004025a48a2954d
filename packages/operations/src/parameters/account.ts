import {
  type BrandCode,
  type BrandKind,
  brands,
  InvariantError,
  type ParameterName,
  type RequestParameters,
  type Secret,
} from '@tollgate/contract'
import type { Mandate } from '@tollgate/domain'
import { carries } from './carries.ts'
import { knownBrand } from './payment-brand.ts'

export interface SentCard {
  readonly structure: 'card'
  readonly number: Secret | undefined
  readonly holder: string | undefined
  /** 01 to 12. */
  readonly expiryMonth: string | undefined
  /** Four digits. */
  readonly expiryYear: string | undefined
  /** PAN, DPAN. */
  readonly numberType: string | undefined
  readonly cvv: Secret | undefined
}

export interface SentBankAccount {
  readonly structure: 'bankAccount'
  /** The IBAN, or else the national number. */
  readonly number: Secret | undefined
  readonly holder: string | undefined
  readonly bankName: string | undefined
  readonly bankCode: string | undefined
  readonly bic: string | undefined
  readonly country: string | undefined
  readonly mandate: Mandate | undefined
  /** Of the direct debit. */
  readonly dueDate: string | undefined
}

export interface SentVirtualAccount {
  readonly structure: 'virtualAccount'
  readonly brand: BrandCode
  readonly number: Secret
}

export interface SentTokenAccount {
  readonly structure: 'tokenAccount'
  readonly number: Secret
  readonly expiryMonth: string | undefined
  readonly expiryYear: string | undefined
  /** NETWORK, EXTERNAL. */
  readonly type: string | undefined
  readonly cryptogram: Secret | undefined
  readonly dtvc: Secret | undefined
}

export interface SentGiftCard {
  readonly structure: 'giftCard'
  readonly brand: BrandCode
  readonly number: Secret
  readonly holder: string | undefined
  readonly message: string | undefined
  readonly type: string | undefined
  readonly pin: Secret | undefined
}

/** A card in a wallet, decrypted by the merchant. */
export interface SentWallet {
  readonly structure: 'walletA' | 'walletB' | 'walletC'
  readonly card: SentCard
  /** threeDSecure.verificationId. */
  readonly proof: string | undefined
}

/** A card that a terminal read. */
export interface SentTerminalCard {
  readonly structure: 'pos'
  readonly card: SentCard
  /** Whether the terminal has encrypted the card for the acquirer. */
  readonly isEncrypted: boolean
}

/** The account that a request brings. */
export type SentAccount =
  | SentCard
  | SentBankAccount
  | SentVirtualAccount
  | SentTokenAccount
  | SentGiftCard
  | SentWallet
  | SentTerminalCard

interface Row {
  readonly structure: string
  readonly read: (parameters: RequestParameters) => SentAccount
  /** The structure is an account for brands of this kind only; with others it is data. */
  readonly only?: BrandKind
}

/** The structures that carry an account; of several, the first in this order. */
const rows: readonly Row[] = [
  { structure: 'virtualAccount', read: readVirtualAccount, only: 'virtualAccount' },
  { structure: 'giftCard', read: readGiftCard, only: 'giftCard' },
  { structure: 'bankAccount', read: readBankAccount, only: 'directDebit' },
  { structure: 'walletA', read: (parameters) => readWallet(parameters, 'walletA') },
  { structure: 'walletB', read: (parameters) => readWallet(parameters, 'walletB') },
  { structure: 'walletC', read: (parameters) => readWallet(parameters, 'walletC') },
  { structure: 'tokenAccount', read: readTokenAccount },
  { structure: 'pos', read: readTerminalCard },
  // Of another brand; what else the request carries comes first.
  { structure: 'bankAccount', read: readBankAccount },
]

const structures = new Set(rows.map(({ structure }) => structure))

/** The account that the request itself brings; a card without a number where it brings none. */
export function readAccount(parameters: RequestParameters): SentAccount {
  // Most requests carry a card and none of these.
  if (!parameters.sent.some(({ structure }) => structures.has(structure))) return readCard(parameters)
  const brand = knownBrand(parameters.values.get('paymentBrand'))
  const kind = brand && brands[brand].kind
  const row = rows.find(({ structure, only = kind }) => only === kind && carries(parameters, structure))
  return row ? row.read(parameters) : readCard(parameters)
}

export function readCard({ values, secrets }: RequestParameters): SentCard {
  return {
    structure: 'card',
    number: secrets.get('card.number'),
    holder: values.get('card.holder'),
    expiryMonth: values.get('card.expiryMonth'),
    expiryYear: values.get('card.expiryYear'),
    numberType: values.get('card.numberType'),
    cvv: secrets.get('card.cvv'),
  }
}

export function readBankAccount(parameters: RequestParameters): SentBankAccount {
  const { values, secrets } = parameters
  return {
    structure: 'bankAccount',
    number: secrets.get('bankAccount.iban') ?? secrets.get('bankAccount.number'),
    holder: values.get('bankAccount.holder'),
    bankName: values.get('bankAccount.bankName'),
    bankCode: values.get('bankAccount.bankCode'),
    bic: values.get('bankAccount.bic')?.toUpperCase(),
    country: values.get('bankAccount.country')?.toUpperCase(),
    mandate: readMandate(parameters),
    dueDate: values.get('transactionDueDate'),
  }
}

/**
 * The mandate of a request as a whole: an id with the date of another mandate would be one that the customer never
 * signed.
 */
export function readMandate({ values }: RequestParameters): Mandate | undefined {
  const id = values.get('bankAccount.mandate.id')
  const dateOfSignature = values.get('bankAccount.mandate.dateOfSignature')
  return id === undefined && dateOfSignature === undefined ? undefined : { id, dateOfSignature }
}

function readVirtualAccount(parameters: RequestParameters): SentVirtualAccount {
  return {
    structure: 'virtualAccount',
    brand: brandOf(parameters),
    number: secretOf(parameters, 'virtualAccount.accountId'),
  }
}

function readTokenAccount(parameters: RequestParameters): SentTokenAccount {
  const { values, secrets } = parameters
  return {
    structure: 'tokenAccount',
    number: secretOf(parameters, 'tokenAccount.number'),
    expiryMonth: values.get('tokenAccount.expiryMonth'),
    expiryYear: values.get('tokenAccount.expiryYear'),
    type: values.get('tokenAccount.type'),
    cryptogram: secrets.get('tokenAccount.cryptogram'),
    dtvc: secrets.get('tokenAccount.dtvc'),
  }
}

function readGiftCard(parameters: RequestParameters): SentGiftCard {
  const { values, secrets } = parameters
  return {
    structure: 'giftCard',
    brand: brandOf(parameters),
    number: secretOf(parameters, 'giftCard.number'),
    holder: values.get('giftCard.holder'),
    message: values.get('giftCard.message'),
    type: values.get('giftCard.type'),
    pin: secrets.get('giftCard.pin'),
  }
}

function readWallet(parameters: RequestParameters, structure: SentWallet['structure']): SentWallet {
  return { structure, card: readCard(parameters), proof: parameters.values.get('threeDSecure.verificationId') }
}

function readTerminalCard(parameters: RequestParameters): SentTerminalCard {
  return {
    structure: 'pos',
    card: readCard(parameters),
    isEncrypted: parameters.secrets.has('pos.encryptedSred.data'),
  }
}

/** The required members of a structure (contract, rules between parameters). */
function secretOf({ secrets }: RequestParameters, name: ParameterName): Secret {
  const secret = secrets.get(name)
  if (!secret) throw new InvariantError(`checked request lacks ${name}`)
  return secret
}

/** The brand that identifies this kind of account. */
function brandOf({ values }: RequestParameters): BrandCode {
  const brand = knownBrand(values.get('paymentBrand'))
  if (!brand) throw new InvariantError('checked request has no known paymentBrand')
  return brand
}
