import { retrievalReference, transmissionTime } from '../trace.ts'
import { cardNumber, encryptedPin, expiry, firstAccount, iccData, pinKey, secondAccount } from './account-fields.ts'
import { currencyCode, processingCode, reason, replacementAmounts, transactionAmount } from './amounts.ts'
import { description, merchantCategory, nameAndLocation } from './card-acceptor.ts'
import {
  completions,
  everyOperation,
  type FieldValue,
  type MessageSource,
  type Operations,
  presentations,
  references,
  type RequestFields,
  type RequestMessage,
  requestsForDecision,
} from './message-source.ts'
import { cardSequence, conditionCode, entryMode } from './pos-codes.ts'
import { printable } from './printable.ts'
import { privateData } from './private-data.ts'
import { encodeStructures } from './structures/encode-structures.ts'
import { structureFields } from './structures/structure-fields.ts'

/** One field of a request. */
export interface FieldRow {
  readonly number: keyof RequestFields
  readonly sentBy: Operations
  /** Computes the value and adds it to the message. @throws FieldError if no message can hold the value */
  readonly addTo: (values: RequestMessage['fields'], source: MessageSource) => void
}

const row = <Number extends keyof RequestFields>(
  number: Number,
  sentBy: Operations,
  valueOf: (source: MessageSource) => FieldValue<Number>,
): FieldRow => ({
  number,
  sentBy,
  addTo(values, source) {
    const value = valueOf(source)
    // The compiler cannot check an assignment to `values[number]` for a number that it does not know.
    if (value !== undefined) Reflect.set(values, number, value)
  },
})

const structures = (number: keyof typeof structureFields): FieldRow =>
  row(number, everyOperation, (source) => encodeStructures(structureFields[number], source))

/** The fields of requests, in their order. */
export const fieldRows: readonly FieldRow[] = [
  row(2, everyOperation, cardNumber),
  row(3, everyOperation, processingCode),
  row(4, everyOperation, transactionAmount),
  row(7, everyOperation, ({ trace }) => transmissionTime(trace)),
  row(11, everyOperation, ({ trace }) => trace.stan),
  row(12, everyOperation, ({ local }) => local.time),
  row(13, everyOperation, ({ local }) => local.date),
  row(14, everyOperation, expiry),
  row(18, everyOperation, merchantCategory),
  row(19, presentations, ({ profile }) => profile.country),
  row(22, everyOperation, entryMode),
  row(23, everyOperation, cardSequence),
  row(25, everyOperation, conditionCode),
  row(32, everyOperation, ({ profile }) => profile.acquirerId),
  row(33, everyOperation, ({ profile }) => profile.forwarderId),
  row(37, everyOperation, referenceNumber),
  row(38, completions, ({ original }) => original?.approvalCode),
  row(39, completions, reason),
  row(41, everyOperation, ({ trace }) => trace.terminalId),
  row(42, everyOperation, ({ profile }) => profile.merchantId),
  row(43, everyOperation, nameAndLocation),
  row(48, everyOperation, privateData),
  row(49, everyOperation, currencyCode),
  row(52, presentations, encryptedPin.field),
  row(53, presentations, pinKey.field),
  row(55, everyOperation, iccData),
  structures(60),
  structures(61),
  row(62, everyOperation, networkTransactionId),
  structures(63),
  row(90, references, originalMessage),
  row(95, completions, replacementAmounts),
  row(102, everyOperation, firstAccount.field),
  row(103, requestsForDecision, secondAccount.field),
  row(104, requestsForDecision, description),
  structures(120),
  structures(121),
  structures(122),
  structures(123),
]

/** Field 37: a capture and a reversal have the number of the message that they complete, all others their own. */
function referenceNumber({ request, trace, original }: MessageSource): string {
  return (completions.has(request.operation) ? original?.retrievalReference : undefined) ?? retrievalReference(trace)
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
