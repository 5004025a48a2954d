import { encodePrivateData } from '@tollgate/iso8583'
import { knownMessage } from '@tollgate/iso8583/testing'
import type { HostMessage } from '../host-message.ts'

/** Any approved Visa card, and any approved Mastercard. */
export const visa = '4200000000000091'
export const mastercard = '5599990000000008'

/** A request of a test: the values that differ from a purchase of 92.00 EUR at one terminal. */
export interface TestRequest {
  readonly type: string
  readonly amount?: number
  readonly card?: string
  /** The processing code, of two digits. */
  readonly processing?: string
  readonly stan?: number
  readonly terminal?: string
  readonly merchant?: string
  readonly currency?: string
  /** Elements of field 48. */
  readonly data?: Readonly<Record<string, string>>
  /** Further fields, or other values of fields; undefined removes a field. */
  readonly fields?: HostMessage['fields']
}

const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'))

/** A purchase of 92.00 EUR without 3-D Secure. Its network country is no field that the host requires. */
const { 19: _, 48: __, ...purchase } = knownMessage('0100 e-com preauth with 3DS').fields

/** A complete request or advice about money. */
export function testMessage({ type, data, fields, ...values }: TestRequest): HostMessage {
  const { amount = 9200, card = visa, processing = '00', stan = 1 } = values
  const { currency = purchase[49], terminal = purchase[41], merchant = purchase[42] } = values
  const trace = String(stan).padStart(6, '0')
  return {
    type,
    fields: {
      ...purchase,
      2: bytes(card),
      3: `${processing}0000`,
      4: String(amount).padStart(12, '0'),
      11: trace,
      37: `432410${trace}`,
      38: type.startsWith('022') ? 'A1B2C3' : undefined,
      39: type.startsWith('042') ? '68' : undefined,
      41: terminal,
      42: merchant,
      48: data === undefined ? undefined : encodePrivateData(new Map(Object.entries(data))),
      49: currency,
      ...fields,
    },
  }
}

/** Field 90 of a message that names another one. */
export const originalDataOf = ({ type, fields }: HostMessage): string =>
  `${type}${fields[11]}${fields[7]}${(fields[32] ?? '').padStart(11, '0')}${'0'.repeat(11)}`

/** Field 95 with a new amount. */
export const replacementOf = (amount: number): string =>
  `${String(amount).padStart(12, '0')}${'0'.repeat(12)}C00000000C00000000`

/** A network message. */
export const networkMessage = (code: string, stan = 1): HostMessage => ({
  type: '0800',
  fields: { ...knownMessage('0800 echo test').fields, 11: String(stan).padStart(6, '0'), 70: code },
})

/** Counts and amounts of credits, their reversals, debits and their reversals; and the net amount with its sign. */
export interface TestTotals {
  readonly counts: readonly [number, number, number, number]
  readonly amounts: readonly [number, number, number, number]
  readonly net: string
}

/** A reconciliation of a terminal's batch. */
export function reconciliation(
  { counts, amounts, net }: TestTotals,
  stan = 900,
  fields: HostMessage['fields'] = {},
): HostMessage {
  return {
    type: '0500',
    fields: {
      ...knownMessage('0500 batch reconciliation').fields,
      11: String(stan).padStart(6, '0'),
      74: String(counts[0]),
      75: String(counts[1]),
      76: String(counts[2]),
      77: String(counts[3]),
      86: String(amounts[0]),
      87: String(amounts[1]),
      88: String(amounts[2]),
      89: String(amounts[3]),
      97: `${net.slice(0, 1)}${net.slice(1).padStart(16, '0')}`,
      ...fields,
    },
  }
}
