import { type ProtocolVersion, protocolVersions } from '../versions.ts'

/** One value of `transStatus`. */
export interface TransactionStatusRow {
  readonly text: string
  /** Whether the result follows in a results request. */
  readonly open: boolean
  /** `never`: "must not be sent for authorisation". `shifted`: the issuer is liable. `own`: the merchant is liable. */
  readonly authorisation: 'shifted' | 'own' | 'never'
  readonly since: ProtocolVersion
}

const row = (
  text: string,
  authorisation: TransactionStatusRow['authorisation'],
  changes: Partial<TransactionStatusRow> = {},
): TransactionStatusRow => ({ text, open: false, authorisation, since: protocolVersions[0], ...changes })

const table = {
  Y: row('authenticated', 'shifted'),
  A: row('not authenticated, but the attempt is proven', 'shifted'),
  N: row('not authenticated: the transaction is denied', 'own'),
  U: row('authentication could not be performed', 'own'),
  R: row('rejected: the issuer requests that no authorisation is attempted', 'never'),
  C: row('a challenge is required', 'own', { open: true }),
  D: row('a challenge by decoupled authentication is required', 'own', {
    open: true,
    since: '2.2.0',
  }),
  I: row('informational only: the preference for no challenge is acknowledged', 'own', { since: '2.2.0' }),
} as const

/** Value of `transStatus`. */
export type TransactionStatus = keyof typeof table

/** States of an authentication. EMV 3-D Secure, table A.1, `transStatus`. */
export const transactionStatuses: Readonly<Record<TransactionStatus, TransactionStatusRow>> = table

/** Whether a text is a status. */
export const isTransactionStatus = (status: unknown): status is TransactionStatus =>
  typeof status === 'string' && Object.hasOwn(table, status)
