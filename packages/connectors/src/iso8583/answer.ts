import {
  DAY_MS,
  describeResult,
  isCurrency,
  isMerchantAdviceCode,
  type MerchantAdviceCode,
  type ResponseCode,
  responseCodes,
  resultOfResponse,
  type ResultCode,
  unknownResponse,
} from '@tollgate/contract'
import { dayNear, hasTwoDecimals, successCode } from '@tollgate/domain'
import { type ascii1987, decodePrivateData, FieldError, firstTypeOf, type Message } from '@tollgate/iso8583'
import type { AcquirerAnswer, AcquirerRequest } from '../port.ts'
import type { AcquirerProfile } from './profile.ts'
import { terminalAnswer } from './terminal-answer.ts'
import { originalData, type Trace } from './trace.ts'

export type IsoFields = (typeof ascii1987)['fields']
export type IsoMessage = Message<IsoFields>

/** The meaning of a host's answer. partial: an approval of a part that the merchant does not accept, to be reversed. */
export type HostAnswer =
  | { readonly kind: 'answer'; readonly answer: AcquirerAnswer }
  | { readonly kind: 'partial'; readonly answer: AcquirerAnswer }
  | { readonly kind: 'mismatch'; readonly field: number }

/** The fields of an answer that repeat the request: a difference means that it is the answer to another request. */
const repeatedFields = [3, 37, 41, 42, 49] as const

/**
 * Reads the answer of a host to a request for an authorisation, a capture, a refund or a reversal.
 *
 * @param request with the type that was sent
 */
export function readAnswer(
  profile: AcquirerProfile,
  request: AcquirerRequest,
  sent: { readonly message: IsoMessage; readonly trace: Trace },
  received: IsoMessage,
): HostAnswer {
  const differing = differingField(sent.message, received)
  if (differing !== undefined) return { kind: 'mismatch', field: differing }
  const response = received.fields[39]
  // Without a response code, the answer does not say whether the host has carried out the request.
  if (response === undefined) return { kind: 'mismatch', field: 39 }
  const row = rowOf(response)
  const isApproved = row.class === 'approved' || row.class === 'partial'
  // Field 4 of a partial reversal is the amount of the original, not that of the request.
  const sentMinor = Number(sent.message.fields[4])
  const approvedMinor = Number(received.fields[4] ?? sentMinor)
  const isPartial = row.class === 'partial'
  // An approval of another amount without the response for a part of it is no approval of this request.
  if (isApproved && !isPartial && approvedMinor !== sentMinor) return { kind: 'mismatch', field: 4 }
  if (isPartial && (approvedMinor <= 0 || approvedMinor >= sentMinor)) return { kind: 'mismatch', field: 4 }

  const declinesPart = isPartial && !acceptsPart(request, approvedMinor)
  const isAccepted = isApproved && !declinesPart
  const elements = elementsIn(received.fields[48])
  const code = declinesPart ? PART_DECLINED : codeOf(row, request, response)
  const answer: AcquirerAnswer = {
    status: isAccepted ? 'approved' : 'declined',
    code,
    amountMinor: !isAccepted ? 0 : isPartial ? approvedMinor : request.amountMinor,
    details: detailsOf(profile, sent, received, { row, code, response, elements }),
    ...verificationOf(received),
    settlementDay: isAccepted ? settlementDayOf(received.fields[15], sent.trace) : undefined,
    issuerDecline: isApproved ? undefined : { response, advice: adviceIn(elements) },
    pos: terminalAnswer(profile, request, sent.message, received, { response, isApproved: isAccepted, elements }),
  }
  return { kind: declinesPart ? 'partial' : 'answer', answer }
}

/** The settlement date (field 15, MMDD) of an answer, in days since 1970. */
const settlementDayOf = (date: string | undefined, { atMs }: Trace): number | undefined =>
  date === undefined ? undefined : dayNear(date, Math.floor(atMs / DAY_MS))

/** Whether the merchant accepts an approval of a part. No answer can have an amount of more than two decimals. */
const acceptsPart = ({ partialApproval, currency }: AcquirerRequest, approvedMinor: number): boolean =>
  partialApproval && isCurrency(currency) && hasTwoDecimals(approvedMinor, currency)

/** "Partial approval without merchant opt-in: immediate 0420 and decline" (domain, Timeout, reversal). */
const PART_DECLINED: ResultCode = '800.100.155'
const APPROVED_IN_PART: ResultCode = '000.000.001'

/** The field by which an answer belongs to another message; undefined if it fits the sent one. */
export const differingField = (sent: IsoMessage, received: IsoMessage): number | undefined =>
  repeatedFields.find((number) => differs(sent.fields[number], received.fields[number]))

/** Whether a repeated field has another value. Hosts may omit it, and fill it in another way. */
const differs = (sent: string | undefined, received: string | undefined): boolean =>
  sent !== undefined && received !== undefined && sent.trim() !== received.trim()

/** The row of a response code. A notice is not about the payment: as its answer, it is like an unknown code. */
function rowOf(response: string): ResponseCode {
  const row = Object.hasOwn(responseCodes, response) ? responseCodes[response] : undefined
  return row === undefined || row.class === 'notice' ? unknownResponse : row
}

function codeOf(row: ResponseCode, { brand, testMode }: AcquirerRequest, response: string): ResultCode {
  if (row.class === 'approved') return successCode(testMode)
  if (row.class === 'partial') return APPROVED_IN_PART
  return row === unknownResponse ? row.resultCode : resultOfResponse(response, brand)
}

/** The response code of an answer, its meaning, and the elements of field 48. */
interface ReadResponse {
  readonly row: ResponseCode
  readonly code: ResultCode
  readonly response: string
  readonly elements: ReadonlyMap<string, Uint8Array>
}

function detailsOf(
  profile: AcquirerProfile,
  { message, trace }: { readonly message: IsoMessage; readonly trace: Trace },
  { fields }: IsoMessage,
  { row, code, response, elements }: ReadResponse,
): AcquirerAnswer['details'] {
  const explanation = code === row.resultCode || row.class === 'approved' ? row.text : describeResult(code)
  const advice = adviceIn(elements) ?? row.advice
  const details: Record<string, string> = {}
  const add = (name: string, value: string | undefined): void => {
    if (value) details[name] = value
  }
  add('ExtendedDescription', explanation)
  add('clearingInstituteName', profile.name)
  add('ConnectorTxID1', fields[37]?.trim() ?? message.fields[37])
  add('ConnectorTxID2', originalData(firstTypeOf(message.type), trace, profile))
  add('ConnectorTxID3', fields[38]?.trim())
  add('AcquirerResponse', response)
  add('MerchantAdviceCode', row.class === 'approved' ? undefined : advice)
  add('CardholderInitiatedTransactionID', fields[62]?.trim())
  return details
}

/** The merchant advice code in field 48. */
function adviceIn(elements: ReadResponse['elements']): MerchantAdviceCode | undefined {
  const value = elements.get('09')
  const code = value && Buffer.from(value).toString('latin1')
  return code !== undefined && isMerchantAdviceCode(code) ? code : undefined
}

/** The elements of field 48; none if it is damaged, because the result of the payment does not depend on them. */
function elementsIn(privateData: Uint8Array = new Uint8Array()): ReadResponse['elements'] {
  try {
    return decodePrivateData(privateData)
  } catch (error) {
    if (error instanceof FieldError) return new Map()
    throw error
  }
}

/** Places of the results in field 44: "AVS char 2, CVV2 result char 11". */
const AVS_PLACE = 1
const CVV_PLACE = 10

/** `result.avsResponse` by the networks' letters; other letters mean U. */
const avsResponses: Readonly<Record<string, string>> = {
  Y: 'F',
  D: 'F',
  M: 'F',
  X: 'F',
  A: 'A',
  B: 'A',
  Z: 'Z',
  P: 'Z',
  W: 'Z',
  N: 'N',
}
const cvvResponses = 'MNPSU'

function verificationOf({ fields }: IsoMessage): Pick<AcquirerAnswer, 'avs' | 'cvv'> {
  const avs = fields[44]?.[AVS_PLACE]?.trim()
  const cvv = fields[44]?.[CVV_PLACE]?.trim()
  return {
    avs: avs ? (avsResponses[avs] ?? 'U') : undefined,
    cvv: cvv ? (cvvResponses.includes(cvv) ? cvv : 'U') : undefined,
  }
}
