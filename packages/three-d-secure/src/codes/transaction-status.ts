/** Results of an authentication. EMV 3-D Secure, table A.1, `transStatus`. */
const texts = {
  Y: 'authenticated',
  A: 'not authenticated, but the attempt is proven',
  N: 'not authenticated: the transaction is denied',
  U: 'authentication could not be performed',
  R: 'rejected: the issuer requests that no authorisation is attempted',
  C: 'a challenge is required',
  D: 'a challenge by decoupled authentication is required',
  I: 'informational only: the preference for no challenge is acknowledged',
} as const

/** Value of `transStatus`. */
export type TransactionStatus = keyof typeof texts

/** Whether a text is a status. */
export const isTransactionStatus = (status: unknown): status is TransactionStatus =>
  typeof status === 'string' && Object.hasOwn(texts, status)
