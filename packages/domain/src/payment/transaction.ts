import type { BrandCode, CurrencyCode } from '@tollgate/contract'
import type { StandingInstruction } from '../card-on-file/instruction.ts'
import { invariant } from '../guard.ts'
import { isAmount } from '../money.ts'

/** The payment types that the gateway supports (contract, States and transitions). */
export const paymentTypes = ['PA', 'DB', 'CD', 'CP', 'RV', 'RF', 'RB', 'CB', 'CR', 'RC'] as const

/**
 * PA preauthorisation, DB debit, CD credit (payout), CP capture, RV reversal, RF refund, RB rebill, CB chargeback,
 * CR chargeback reversal, RC receipt.
 */
export type PaymentType = (typeof paymentTypes)[number]

/** Whether a transaction type (two letters) is one of a payment, rather than of a registration. */
export const isPaymentType = (type: string): type is PaymentType =>
  paymentTypes.some((paymentType) => paymentType === type)

/**
 * ACK approved, NOK refused. Undecided, with the amount reserved: SENT, the request may have reached the acquirer and
 * has no answer yet; PENDING, the acquirer or the shopper has to act. EXPIRED: pending for too long; counts as refused
 * unless a late approval arrives.
 */
export const transactionStatuses = ['ACK', 'NOK', 'SENT', 'PENDING', 'EXPIRED'] as const
export type TransactionStatus = (typeof transactionStatuses)[number]

/** Whether a transaction is neither approved nor refused yet. */
export const isUndecided = ({ status }: Pick<Transaction, 'status'>): boolean =>
  status === 'SENT' || status === 'PENDING'

/** Whether a transaction was refused, or was pending for too long. */
export const hasFailed = ({ status }: Pick<Transaction, 'status'>): boolean => status === 'NOK' || status === 'EXPIRED'

/** Destination of a test transaction (contract, Test modes); null in the live environment. */
export type TestMode = 'INTERNAL' | 'EXTERNAL' | null

/** Facts of a transaction that later decisions need, besides its columns. */
export interface Facts {
  /** The number of captures that the preauthorisation allows. */
  readonly numberOfCaptures?: number
  /** The time from which a preauthorisation can no longer be captured. */
  readonly expiresAtMs?: number
  /**
   * sequence=FINAL marks the last transaction of its type. After a capture or reversal the remaining authorisation is
   * released; after a refund no other refund of the charge is possible.
   */
  readonly final?: true
  /** Whether a reversal released the remaining amount of an expired authorisation. */
  readonly expiry?: true
  /** Whether a bank or wallet processes the payment: on its page, or under an agreement that the shopper made there. */
  readonly redirected?: true
  /** The redirect or 3-D Secure session of a payment that its shopper has to confirm. */
  readonly sessionId?: string
  /** The standing instruction of a payment with account data on file. */
  readonly instruction?: StandingInstruction
}

/** One step of a payment. Immutable once decided: another transaction corrects it. */
export interface Transaction {
  readonly id: string
  /** The first transaction of the tree; its own id for a root. */
  readonly rootId: string
  /** The referenced transaction; null for a root. */
  readonly referencedId: string | null
  readonly type: PaymentType
  readonly status: TransactionStatus
  /** Minor units of `currency`; the approved amount, if approved. */
  readonly amountMinor: number
  readonly currency: CurrencyCode
  readonly brand: BrandCode | null
  /** CC card, DD direct debit, VA virtual account… (contract, paymentMethods). */
  readonly method: string | null
  readonly testMode: TestMode
  /** Entity id of the channel that received the request. */
  readonly channel: string
  readonly facts: Facts
  readonly createdAtMs: number
}

/** A payment: the transactions in the order in which they were made, the root first. */
export interface Tree {
  /** 1 at first; incremented by every change, and by every charge under an agreement that the root began. */
  readonly version: number
  readonly transactions: readonly Transaction[]
}

/** The transaction that began the payment. */
export function rootOf(tree: Tree): Transaction {
  const [root] = tree.transactions
  invariant(root !== undefined, 'a tree has a root')
  return root
}

/** The transaction to which a transaction refers; throws for a root. */
export function referencedOf(tree: Tree, { referencedId }: Transaction): Transaction {
  const referenced = tree.transactions.find(({ id }) => id === referencedId)
  invariant(referenced !== undefined, 'a reference points into its own tree')
  return referenced
}

/**
 * The tree with `transaction` added.
 *
 * @param tree undefined: the transaction begins a payment
 */
export function apply(tree: Tree | undefined, transaction: Transaction): Tree {
  invariant(isAmount(transaction.amountMinor), 'an amount is a whole number of minor units within bounds')
  if (!tree) {
    invariant(transaction.rootId === transaction.id, 'a root is its own root')
    invariant(transaction.referencedId === null, 'a root refers to nothing')
    return { version: 1, transactions: [transaction] }
  }
  const root = rootOf(tree)
  invariant(transaction.rootId === root.id, 'a transaction belongs to the tree of its root')
  invariant(transaction.currency === root.currency, 'a payment has one currency')
  invariant(!tree.transactions.some(({ id }) => id === transaction.id), 'an id is used once')
  invariant(
    tree.transactions.some(({ id }) => id === transaction.referencedId),
    'a reference points into its own tree',
  )
  return { version: tree.version + 1, transactions: [...tree.transactions, transaction] }
}
