import { isKeyOf } from './is-key-of.ts'

/**
 * The origin of transactions of a type. initial: a first request of the merchant. referencing: a request of the
 * merchant that refers to an earlier transaction. system: this service itself, a clearing file, or a caller whose token
 * has the right for it. filter: there are no such transactions; queries accept the code, which matches none.
 */
export type TransactionClass = 'initial' | 'referencing' | 'system' | 'filter'

/** One transaction type. */
export interface TransactionTypeRow {
  readonly name: string
  readonly class: TransactionClass
  /** The types of transactions that it may refer to; states and amounts restrict this further. */
  readonly references: readonly string[]
}

/** The transaction types, in the order of the contract (States and transitions). */
const table = {
  CB: { name: 'Chargeback', class: 'system', references: ['DB', 'CP', 'RB', 'RF', 'CR'] },
  CD: { name: 'Credit', class: 'initial', references: [] },
  CR: { name: 'Chargeback reversal', class: 'system', references: ['CB'] },
  DB: { name: 'Debit', class: 'initial', references: [] },
  CP: { name: 'Capture', class: 'referencing', references: ['PA'] },
  IV: { name: 'Invoice', class: 'system', references: ['PA', 'DB'] },
  PA: { name: 'Preauthorisation', class: 'initial', references: ['PA'] },
  RB: { name: 'Rebill', class: 'referencing', references: ['DB', 'CP'] },
  RC: { name: 'Receipt', class: 'system', references: ['PA', 'DB', 'CP', 'RB', 'RG'] },
  RF: { name: 'Refund', class: 'referencing', references: ['DB', 'CP', 'CD', 'RB', 'RC'] },
  RL: { name: 'Reconciliation', class: 'system', references: ['DB', 'CP', 'RB'] },
  RV: { name: 'Reversal', class: 'referencing', references: ['PA', 'DB', 'CP', 'RB'] },
  AD: { name: 'Address check', class: 'system', references: [] },
  IN: { name: 'Initialisation', class: 'initial', references: [] },
  FI: { name: 'Finalisation', class: 'referencing', references: ['IN', 'PA', 'DB', 'CD'] },
  CL: { name: 'Close', class: 'system', references: ['PA', 'DB', 'CD', 'RG'] },
  CF: { name: 'Confirmation', class: 'referencing', references: ['RG'] },
  DR: { name: 'Deregistration', class: 'referencing', references: ['RG', 'RR'] },
  RG: { name: 'Registration', class: 'initial', references: [] },
  RR: { name: 'Re-registration', class: 'referencing', references: ['RG', 'RR'] },
  TE: { name: 'Token extension', class: 'referencing', references: ['RG', 'RR'] },
  CT: { name: 'Credit transfer', class: 'system', references: [] },
  DS: { name: 'Deschedule', class: 'referencing', references: ['SD', 'RS'] },
  RS: { name: 'Reschedule', class: 'referencing', references: ['SD', 'RS'] },
  SD: { name: 'Schedule', class: 'referencing', references: ['RG', 'RR'] },
  AC: { name: 'Account check', class: 'system', references: [] },
  MD: { name: 'Filter only', class: 'filter', references: [] },
  EA: { name: 'Filter only', class: 'filter', references: [] },
  RI: { name: 'Risk check', class: 'initial', references: [] },
  '3D': { name: 'Standalone 3-D Secure authentication', class: 'initial', references: [] },
  SA: { name: 'Filter only', class: 'filter', references: [] },
  EN: { name: '3-D Secure enrolment check', class: 'system', references: [] },
  ID: { name: 'Identity check', class: 'system', references: [] },
  IC: { name: 'Filter only', class: 'filter', references: [] },
  DP: { name: 'Filter only', class: 'filter', references: [] },
  CG: { name: 'Filter only', class: 'filter', references: [] },
  TG: { name: 'Filter only', class: 'filter', references: [] },
  SF: { name: 'Filter only', class: 'filter', references: [] },
  IS: { name: 'Filter only', class: 'filter', references: [] },
  VD: { name: 'Filter only', class: 'filter', references: [] },
  DV: { name: 'Filter only', class: 'filter', references: [] },
  AF: { name: 'Filter only', class: 'filter', references: [] },
  GK: { name: 'Risk check by GateKeeper', class: 'system', references: [] },
  RD: { name: 'Risk check by ReD Shield', class: 'system', references: [] },
  TM: { name: 'Risk check by ThreatMetrix', class: 'system', references: [] },
  FT: { name: 'Filter only', class: 'filter', references: [] },
  KT: { name: 'Risk check by Kount', class: 'system', references: [] },
  AR: { name: 'Filter only', class: 'filter', references: [] },
  AL: { name: 'Filter only', class: 'filter', references: [] },
  PL: { name: 'Filter only', class: 'filter', references: [] },
  FN: { name: 'Filter only', class: 'filter', references: [] },
  FZ: { name: 'Filter only', class: 'filter', references: [] },
  RE: { name: 'Standalone risk check', class: 'initial', references: [] },
  RX: { name: 'Filter only', class: 'filter', references: [] },
  FO: { name: 'Filter only', class: 'filter', references: [] },
  CS: { name: 'Filter only', class: 'filter', references: [] },
  EX: { name: 'Filter only', class: 'filter', references: [] },
  SE: { name: 'Filter only', class: 'filter', references: [] },
  AU: { name: 'Account updater', class: 'system', references: ['RG', 'RR'] },
  TK: { name: 'Filter only', class: 'filter', references: [] },
  TF: { name: 'Transfer between accounts', class: 'initial', references: [] },
  ER: { name: 'Filter only', class: 'filter', references: [] },
} as const satisfies Readonly<Record<string, TransactionTypeRow>>

/** Code of a transaction type, such as `DB`. */
export type TransactionType = keyof typeof table

/** The transaction types by their code. */
export const transactionTypes: Readonly<
  Record<TransactionType, TransactionTypeRow & { readonly references: readonly TransactionType[] }>
> = table

/** Whether `code` is a transaction type of the contract's list. */
export const isTransactionType = isKeyOf(transactionTypes)
