import { type ProtocolVersion, protocolVersions } from '../versions.ts'

/** One value of `transStatus`. */
export interface TransactionStatusRow {
  readonly text: string
  /** Whether the result follows in a results request. */
  readonly open: boolean
  /** The party that is liable for fraud; none: the transaction "must not be sent for authorisation". */
  readonly liability: 'issuer' | 'merchant' | 'none'
  readonly since: ProtocolVersion
}

const row = (
  text: string,
  liability: TransactionStatusRow['liability'],
  changes: Partial<TransactionStatusRow> = {},
): TransactionStatusRow => ({ text, open: false, liability, since: protocolVersions[0], ...changes })

const table = {
  Y: row('authenticated', 'issuer'),
  A: row('not authenticated, but the attempt is proven', 'issuer'),
  N: row('not authenticated: the transaction is denied', 'merchant'),
  U: row('authentication could not be performed', 'merchant'),
  R: row('rejected: the issuer requests that no authorisation is attempted', 'none'),
  C: row('a challenge is required', 'merchant', { open: true }),
  D: row('a challenge by decoupled authentication is required', 'merchant', {
    open: true,
    since: '2.2.0',
  }),
  I: row('informational only: the preference for no challenge is acknowledged', 'merchant', { since: '2.2.0' }),
} as const

/** Value of `transStatus`. */
export type TransactionStatus = keyof typeof table

/** States of an authentication. EMV 3-D Secure, table A.1, `transStatus`. */
export const transactionStatuses: Readonly<Record<TransactionStatus, TransactionStatusRow>> = table

/** Whether a text is a status. */
export const isTransactionStatus = (status: unknown): status is TransactionStatus =>
  typeof status === 'string' && Object.hasOwn(table, status)
