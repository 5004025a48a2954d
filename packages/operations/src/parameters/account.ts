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
import { hasStructure } from './has-structure.ts'
import { knownBrand } from './payment-brand.ts'

/** The account in the parameters of a request. */
export type SentAccount =
  | SentCard
  | SentBankAccount
  | SentVirtualAccount
  | SentTokenAccount
  | SentGiftCard
  | SentWallet
  | SentTerminalCard

interface AccountStructure {
  readonly structure: string
  readonly read: (parameters: RequestParameters) => SentAccount
  /**
   * The kind of the brands with which the row applies; undefined: with any brand, or none. A structure is only echoed
   * unless one of its rows applies.
   */
  readonly brandKind?: BrandKind
}

/** The structures with an account. If several were sent, the first row that applies is used. */
const accountStructures: readonly AccountStructure[] = [
  { structure: 'virtualAccount', read: readVirtualAccount, brandKind: 'virtualAccount' },
  { structure: 'giftCard', read: readGiftCard, brandKind: 'giftCard' },
  { structure: 'bankAccount', read: readBankAccount, brandKind: 'directDebit' },
  { structure: 'walletA', read: (parameters) => readWallet(parameters, 'walletA') },
  { structure: 'walletB', read: (parameters) => readWallet(parameters, 'walletB') },
  { structure: 'walletC', read: (parameters) => readWallet(parameters, 'walletC') },
  { structure: 'tokenAccount', read: readTokenAccount },
  { structure: 'pos', read: readTerminalCard },
  // With a brand of another kind, a bank account is used only if no other structure applies.
  { structure: 'bankAccount', read: readBankAccount },
]

const structures = new Set(accountStructures.map(({ structure }) => structure))

/** The account of a request; a card without a number if no account was sent. */
export function readAccount(parameters: RequestParameters): SentAccount {
  // Fast path: most requests have a card and none of these structures.
  if (!parameters.sent.some(({ structure }) => structures.has(structure))) return readCard(parameters)
  const brand = knownBrand(parameters.values.get('paymentBrand'))
  const kind = brand && brands[brand].kind
  const row = accountStructures.find(
    ({ structure, brandKind = kind }) => brandKind === kind && hasStructure(parameters, structure),
  )
  return row ? row.read(parameters) : readCard(parameters)
}

export type SentCard = Readonly<ReturnType<typeof readCard>>

export function readCard({ values, secrets }: RequestParameters) {
  return {
    structure: 'card' as const,
    number: secrets.get('card.number'),
    holder: values.get('card.holder'),
    /** 01 to 12. */
    expiryMonth: values.get('card.expiryMonth'),
    /** Four digits. */
    expiryYear: values.get('card.expiryYear'),
    /** PAN or DPAN. */
    numberType: values.get('card.numberType'),
    cvv: secrets.get('card.cvv'),
  }
}

export type SentBankAccount = Readonly<ReturnType<typeof readBankAccount>>

export function readBankAccount(parameters: RequestParameters) {
  const { values, secrets } = parameters
  return {
    structure: 'bankAccount' as const,
    /** The IBAN, or the national number. */
    number: secrets.get('bankAccount.iban') ?? secrets.get('bankAccount.number'),
    holder: values.get('bankAccount.holder'),
    bankName: values.get('bankAccount.bankName'),
    bankCode: values.get('bankAccount.bankCode'),
    bic: values.get('bankAccount.bic')?.toUpperCase(),
    country: values.get('bankAccount.country')?.toUpperCase(),
    mandate: readMandate(parameters),
    /** The due date of a direct debit. */
    dueDate: values.get('transactionDueDate'),
  }
}

/**
 * The mandate of a request, which is never combined with a stored mandate: an id with the date of another mandate would
 * be a mandate that the customer never signed.
 */
export function readMandate({ values }: RequestParameters): Mandate | undefined {
  const id = values.get('bankAccount.mandate.id')
  const dateOfSignature = values.get('bankAccount.mandate.dateOfSignature')
  return id === undefined && dateOfSignature === undefined ? undefined : { id, dateOfSignature }
}

export type SentVirtualAccount = Readonly<ReturnType<typeof readVirtualAccount>>

function readVirtualAccount(parameters: RequestParameters) {
  return {
    structure: 'virtualAccount' as const,
    brand: brandOf(parameters),
    number: secretOf(parameters, 'virtualAccount.accountId'),
  }
}

export type SentTokenAccount = Readonly<ReturnType<typeof readTokenAccount>>

function readTokenAccount(parameters: RequestParameters) {
  const { values, secrets } = parameters
  return {
    structure: 'tokenAccount' as const,
    number: secretOf(parameters, 'tokenAccount.number'),
    expiryMonth: values.get('tokenAccount.expiryMonth'),
    expiryYear: values.get('tokenAccount.expiryYear'),
    /** NETWORK or EXTERNAL. */
    type: values.get('tokenAccount.type'),
    cryptogram: secrets.get('tokenAccount.cryptogram'),
    dtvc: secrets.get('tokenAccount.dtvc'),
  }
}

export type SentGiftCard = Readonly<ReturnType<typeof readGiftCard>>

function readGiftCard(parameters: RequestParameters) {
  const { values, secrets } = parameters
  return {
    structure: 'giftCard' as const,
    brand: brandOf(parameters),
    number: secretOf(parameters, 'giftCard.number'),
    holder: values.get('giftCard.holder'),
    message: values.get('giftCard.message'),
    type: values.get('giftCard.type'),
    pin: secrets.get('giftCard.pin'),
  }
}

/** A card in a wallet, as the merchant decrypted it; without a number if the merchant sent the encrypted token. */
export type SentWallet = Readonly<ReturnType<typeof readWallet>>

function readWallet(parameters: RequestParameters, structure: 'walletA' | 'walletB' | 'walletC') {
  return { structure, card: readCard(parameters), proof: parameters.values.get('threeDSecure.verificationId') }
}

/** A card that a terminal read. */
export type SentTerminalCard = Readonly<ReturnType<typeof readTerminalCard>>

function readTerminalCard(parameters: RequestParameters) {
  return {
    structure: 'pos' as const,
    card: readCard(parameters),
    /** Whether the terminal encrypted the card for the acquirer. */
    isEncrypted: parameters.secrets.has('pos.encryptedSred.data'),
  }
}

/** A required secret of a structure (contract, rules between parameters). */
function secretOf({ secrets }: RequestParameters, name: ParameterName): Secret {
  const secret = secrets.get(name)
  if (!secret) throw new InvariantError(`checked request lacks ${name}`)
  return secret
}

/** The brand of a structure that requires one. */
function brandOf({ values }: RequestParameters): BrandCode {
  const brand = knownBrand(values.get('paymentBrand'))
  if (!brand) throw new InvariantError('checked request has no known paymentBrand')
  return brand
}
