import { DAY_MS } from '@tollgate/contract'

/**
 * References of a transaction at acquirer and network, computed from its id and time, so that a replay gives the same
 * references.
 */
export interface References {
  /** The acquirer's own reference, unique: ConnectorTxID1. */
  readonly acquirerReference: string
  /** Retrieval reference number, 12 digits (ISO 8583 field 37: year, day, hour, trace number): ConnectorTxID2. */
  readonly retrievalReference: string
  /** System trace audit number, 6 digits (field 11): ConnectorTxID3. */
  readonly traceNumber: string
  /** Approval code, 6 letters or digits (field 38): AuthCode. */
  readonly approvalCode: string
  /** The network's id of the transaction, 15 digits: CardholderInitiatedTransactionID. */
  readonly networkTransactionId: string
}

/** References of a transaction; `atMs` in epoch milliseconds. */
export function referencesOf(transactionId: string, atMs: number): References {
  const trace = hash(transactionId, 0x811c9dc5)
  const secondHash = hash(transactionId, 0x01000193)
  const time = new Date(atMs)
  const year = time.getUTCFullYear()
  const day = Math.floor((atMs - Date.UTC(year, 0, 1)) / DAY_MS) + 1
  const date = `${year % 10}${digits(day, 3)}`
  const traceNumber = digits((trace % 999_999) + 1, 6)
  return {
    acquirerReference: `SIM-${transactionId}`,
    retrievalReference: `${date}${digits(time.getUTCHours(), 2)}${traceNumber}`,
    traceNumber,
    approvalCode: lettersAndDigits(secondHash, 6),
    networkTransactionId: `${date}${digits(secondHash % 1_000_000, 6)}${digits(trace % 100_000, 5)}`,
  }
}

/** The cryptogram that proves the issuer's answer to a chip, 16 hexadecimal digits. */
export const responseCryptogramOf = (transactionId: string): string =>
  [0x9dc5, 0x811c]
    .map((basis) => hash(transactionId, basis).toString(16).padStart(8, '0'))
    .join('')
    .toUpperCase()

/** The texts 000 to 999: a look-up costs less than the conversion of a number. */
const threeDigits: readonly string[] = Array.from({ length: 1000 }, (_, value) => String(value).padStart(3, '0'))

/** The last digits of a number below 1,000,000, with leading zeros. */
const digits = (value: number, length: number): string =>
  `${threeDigits[Math.floor(value / 1000)]}${threeDigits[value % 1000]}`.slice(-length)

/** The last digits of a number in base 36, in upper case. */
function lettersAndDigits(value: number, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest = Math.floor(rest / 36)) text = base36.charAt(rest % 36) + text
  return text
}

const base36 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** FNV-1a over the characters, as an unsigned 32-bit integer; not cryptographic. */
function hash(text: string, basis: number): number {
  let value = basis
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  return value >>> 0
}
