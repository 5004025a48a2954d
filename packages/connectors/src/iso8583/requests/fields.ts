import type { Value } from '@tollgate/iso8583'
import { retrievalReference, transmissionTime } from '../trace.ts'
import {
  cardNumber,
  encryptedCardPart,
  encryptedPin,
  expiry,
  firstAccount,
  iccData,
  pinKey,
  secondAccount,
} from './account-fields.ts'
import { currencyCode, processingCode, replacementAmounts, responseCode, transactionAmount } from './amounts.ts'
import { description, merchantCategory, nameAndLocation } from './card-acceptor.ts'
import {
  approvedBefore,
  cardReads,
  completions,
  everyKind,
  type FieldValue,
  type MessageSource,
  presentations,
  references,
  type RequestFields,
  type RequestKinds,
  requestsForDecision,
} from './message-source.ts'
import { cardSequence, conditionCode, entryMode, pinCaptureCode } from './pos-codes.ts'
import { printable } from './printable.ts'
import { privateData } from './private-data.ts'
import { encodeStructures } from './structures/encode-structures.ts'
import { structureFields } from './structures/structure-fields.ts'

/** One field of a request. */
export interface FieldRow {
  readonly number: keyof RequestFields
  readonly sentBy: RequestKinds
  /** Computes the value, of the type of the field. @throws FieldError if no message can hold the value */
  readonly valueOf: (source: MessageSource) => Value | undefined
}

const row = <Number extends keyof RequestFields>(
  number: Number,
  sentBy: RequestKinds,
  valueOf: (source: MessageSource) => FieldValue<Number>,
): FieldRow => ({ number, sentBy, valueOf })

const structures = (number: keyof typeof structureFields): FieldRow =>
  row(number, everyKind, (source) => encodeStructures(structureFields[number], source))

/** The fields of requests, in their order. */
export const fieldRows: readonly FieldRow[] = [
  row(2, everyKind, cardNumber),
  row(3, everyKind, processingCode),
  row(4, everyKind, transactionAmount),
  row(7, everyKind, ({ trace }) => transmissionTime(trace)),
  row(11, everyKind, ({ trace }) => trace.stan),
  row(12, everyKind, ({ local }) => local.time),
  row(13, everyKind, ({ local }) => local.date),
  row(14, everyKind, expiry),
  row(18, everyKind, merchantCategory),
  row(19, presentations, ({ profile }) => profile.country),
  row(22, everyKind, entryMode),
  row(23, everyKind, cardSequence),
  row(25, everyKind, conditionCode),
  row(26, requestsForDecision, pinCaptureCode),
  row(32, everyKind, ({ profile }) => profile.acquirerId),
  row(33, everyKind, ({ profile }) => profile.forwarderId),
  row(37, everyKind, referenceNumber),
  row(38, approvedBefore, approvalCode),
  row(39, approvedBefore, responseCode),
  row(41, everyKind, ({ trace }) => trace.terminalId),
  row(42, everyKind, ({ profile }) => profile.merchantId),
  row(43, everyKind, nameAndLocation),
  row(48, everyKind, privateData),
  row(49, everyKind, currencyCode),
  row(52, requestsForDecision, encryptedPin.field),
  row(53, requestsForDecision, pinKey.field),
  row(55, everyKind, iccData),
  structures(60),
  structures(61),
  row(62, everyKind, networkTransactionId),
  structures(63),
  row(90, references, originalMessage),
  row(95, completions, replacementAmounts),
  row(102, everyKind, firstAccount.field),
  row(103, requestsForDecision, secondAccount.field),
  row(104, requestsForDecision, description),
  structures(120),
  structures(121),
  structures(122),
  structures(123),
  row(124, cardReads, encryptedCardPart(0)),
  row(125, cardReads, encryptedCardPart(1)),
  row(126, cardReads, encryptedCardPart(2)),
]

/**
 * Field 37: a reversal and the first capture have the number of the message that they complete, all others their own.
 * "Key for clearing": two captures of an authorisation never share it.
 */
function referenceNumber({ request, trace, original }: MessageSource): string {
  const completes = completions.has(request.operation) && (original?.captureSequence ?? 1) === 1
  return (completes ? original?.retrievalReference : undefined) ?? retrievalReference(trace)
}

/** Field 38: the code of the approval that the request completes, or that the terminal gave. */
function approvalCode({ request: { offlineApproval }, original }: MessageSource): string | undefined {
  return offlineApproval?.approvalCode ?? original?.approvalCode
}

/** Field 62: the network's id of the payment to which a follow-up refers. */
function networkTransactionId({ request, original }: MessageSource): string | undefined {
  if (original === undefined) return undefined
  const id = original.networkTransactionId ?? request.initialTransactionId
  return id === undefined ? undefined : printable(id)
}

/**
 * Field 90. A refund names its payment by the network's id: trace number and time of day of an old payment are no
 * longer unique.
 */
function originalMessage({ request, original }: MessageSource): string | undefined {
  const isNamedByNetwork = request.operation === 'RF' && original?.networkTransactionId !== undefined
  return isNamedByNetwork ? undefined : original?.originalData
}
