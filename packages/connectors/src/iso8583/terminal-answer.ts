import { decodeIccData, encodeIccData, FieldError } from '@tollgate/iso8583'
import type { AcquirerRequest, TerminalAnswer } from '../port.ts'
import type { AcquirerProfile } from './profile.ts'
import type { RequestMessage } from './requests/message-source.ts'

/** What `readAnswer` has read of an answer. */
interface ReadAnswer {
  readonly response: string
  readonly isApproved: boolean
  readonly elements: ReadonlyMap<string, Uint8Array>
}

/** The element of field 48 with the host's text for the receipt. */
const RECEIPT_TEXT = '28'

/** The fields for a terminal (contract: POS response fields); undefined if no terminal sent the request. */
export function terminalAnswer(
  profile: AcquirerProfile,
  { parameters, atMs, offlineApproval }: AcquirerRequest,
  sent: RequestMessage,
  { fields }: RequestMessage,
  { response, isApproved, elements }: ReadAnswer,
): TerminalAnswer | undefined {
  if (!parameters.has('pos.entryMode')) return undefined
  const approvalCode = isApproved ? receiptText(fields[38] ?? offlineApproval?.approvalCode) : undefined
  const usualText = approvalCode ? `AUTHCODE${approvalCode}` : isApproved ? 'APPROVED' : 'NOTAUTHORISED'
  return {
    clearing: {
      authorizationAcquirerCode: response,
      authorizationIssuerCode: approvalCode,
      identifier: receiptText(fields[37]) ?? sent.fields[37] ?? '',
    },
    merchantId: receiptText(profile.merchantId) ?? '',
    iccDataResponse: fields[55] && issuerData(fields[55]),
    statusText: receiptText(textOf(elements.get(RECEIPT_TEXT))) ?? usualText,
    timestamp: new Date(atMs).toISOString().slice(0, 19).replace('T', ' '),
  }
}

const textOf = (bytes: Uint8Array | undefined): string | undefined => bytes && Buffer.from(bytes).toString('latin1')

/** A value as "letters or digits" (contract), without all other characters; undefined if none is left. */
const receiptText = (text = ''): string | undefined => text.replaceAll(/[^A-Za-z0-9]/g, '') || undefined

/**
 * The elements for the chip in an answer: the response code (8A), the issuer's authentication data (91) and its scripts
 * (71, 72). Others, such as track data (57), must not enter an answer, because answers are stored.
 */
const issuerTags: ReadonlySet<string> = new Set(['8A', '91', '71', '72'])

/** @returns hexadecimal digits; undefined if the data cannot be decoded or have no element for the chip */
function issuerData(bytes: Uint8Array): string | undefined {
  try {
    const elements = decodeIccData(bytes).filter(({ tag }) => issuerTags.has(tag))
    return elements.length === 0 ? undefined : Buffer.from(encodeIccData(elements)).toString('hex').toUpperCase()
  } catch (error) {
    if (error instanceof FieldError) return undefined
    throw error
  }
}
