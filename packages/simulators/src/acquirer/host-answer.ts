import { encodePrivateData } from '@tollgate/iso8583'
import type { HostMessage } from './host-message.ts'
import { answerTypeOf } from './message-types.ts'

/** The values that the host adds to an answer. The other fields are copied from the request. */
export interface HostAnswer {
  /** Field 39. */
  readonly code: string
  /** Field 37. */
  readonly rrn?: string | undefined
  /** Field 4, if a part of the requested amount is approved. */
  readonly amountMinor?: number | undefined
  /** Field 15, MMDD. */
  readonly settlementDate?: string | undefined
  /** Field 38. */
  readonly approvalCode?: string | undefined
  /** Field 44: the results of address and cvv. */
  readonly results?: string | undefined
  /** Field 48, element 09. */
  readonly advice?: string | undefined
  /** Field 48, element 28: the text for the receipt of a terminal. */
  readonly receiptText?: string | undefined
  /** Field 54. */
  readonly amounts?: string | undefined
  /** Field 55 in hexadecimal digits. */
  readonly issuerData?: string | undefined
  /** Field 62. */
  readonly networkId?: string | undefined
  /** Fields 66, 74 to 77, 86 to 89 and 97. */
  readonly totals?: AnsweredTotals | undefined
}

/** The totals of an answer to a reconciliation. */
export interface AnsweredTotals {
  readonly code: '1' | '2'
  readonly counts: readonly [credits: string, creditReversals: string, debits: string, debitReversals: string]
  readonly amounts: readonly [credits: string, creditReversals: string, debits: string, debitReversals: string]
  readonly net: string
}

/** The message of an answer. Its field 2 is no copy: the caller encodes the answer before it erases the request. */
export function answerMessageOf(request: HostMessage, answer: HostAnswer): HostMessage {
  const { fields } = request
  const { totals } = answer
  return {
    type: answerTypeOf(request.type),
    fields: {
      2: fields[2],
      3: fields[3],
      4: answer.amountMinor === undefined ? fields[4] : String(answer.amountMinor),
      7: fields[7],
      11: fields[11],
      12: fields[12],
      13: fields[13],
      15: answer.settlementDate ?? fields[15],
      23: fields[23],
      25: fields[25],
      32: fields[32],
      33: fields[33],
      37: answer.rrn ?? fields[37],
      38: answer.approvalCode,
      39: answer.code,
      41: fields[41],
      42: fields[42],
      44: answer.results,
      48: privateDataOf(answer),
      49: fields[49],
      50: fields[50],
      54: answer.amounts,
      55: answer.issuerData === undefined ? undefined : Uint8Array.from(Buffer.from(answer.issuerData, 'hex')),
      62: answer.networkId,
      70: fields[70],
      90: fields[90],
      95: fields[95],
      99: fields[99],
      ...(totals && totalsFieldsOf(totals)),
    },
  }
}

const totalsFieldsOf = ({ code, counts, amounts, net }: AnsweredTotals): HostMessage['fields'] => ({
  66: code,
  74: counts[0],
  75: counts[1],
  76: counts[2],
  77: counts[3],
  86: amounts[0],
  87: amounts[1],
  88: amounts[2],
  89: amounts[3],
  97: net,
})

/** Field 48: merchant advice code and text for the receipt. */
function privateDataOf({ advice, receiptText }: HostAnswer): Uint8Array | undefined {
  const elements = new Map<string, string>()
  if (advice !== undefined) elements.set('09', advice)
  if (receiptText !== undefined) elements.set('28', receiptText)
  return elements.size === 0 ? undefined : encodePrivateData(elements)
}
