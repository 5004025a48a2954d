import { FieldError, firstTypeOf, type LinkOutcome, repeatTypeOf, wipeMessage } from '@tollgate/iso8583'
import type { ParameterName } from '@tollgate/contract'
import { successCode } from '@tollgate/domain'
import type {
  AcquirerAccount,
  AcquirerAnswer,
  AcquirerRequest,
  AnswerToReverse,
  ConnectionTest,
  FileCapture,
  NoAnswer,
  OpenRequest,
  RemoteConnector,
  RejectedMessage,
  ReversalAttempt,
  ReversalOutcome,
} from '../port.ts'
import { repairReason, verdictOf } from './advice-verdicts.ts'
import { agreeTotals } from './agree-totals.ts'
import { differingField, type IsoFields, type IsoMessage, readAnswer } from './answer.ts'
import { createDrawnTraces } from './drawn-traces.ts'
import { type AcquirerProfile, cutOffOf } from './profile.ts'
import { captureCountOf } from './requests/captures.ts'
import type { OriginalMessage } from './requests/message-source.ts'
import { keptMessage, requestMessage } from './requests/request-message.ts'
import { reversalMessage } from './reversal-message.ts'
import { readSentAs, type SentAs, sentAsOf, writeSentAs } from './sent-as.ts'
import { retrievalReference, type Trace } from './trace.ts'

/** The links to the host of an acquirer. */
export interface AcquirerHost {
  readonly open: () => void
  /** Whether the host has accepted the sign-on of a link. */
  readonly isReady: () => boolean
  /** @throws FieldError if the message is invalid; nothing was sent */
  readonly send: (message: IsoMessage) => Promise<LinkOutcome<IsoFields>>
  /**
   * Waits for a link.
   *
   * @returns whether a link is ready; false if the signal aborts first
   */
  readonly untilReady: (signal?: AbortSignal) => Promise<boolean>
  /** Tests each link by an echo. */
  readonly testConnections: () => Promise<readonly ConnectionTest[]>
  readonly close: () => Promise<void>
}

export interface Iso8583Options {
  /** The account at the acquirer, which is stored with each attempt. */
  readonly name: string
  readonly profile: AcquirerProfile
  readonly host: AcquirerHost
  /**
   * Draws a trace number that no other message of its terminal and day has; undefined: none is free.
   *
   * @param terminalId that of the message that the new one names; by default the terminal id of this process
   */
  readonly nextTrace: (terminalId?: string) => Promise<Trace | undefined>
  /** Called with the field of an answer that does not fit its request. The request is then reversed. */
  readonly onMismatch: (field: number) => void
}

/**
 * The types of messages that are repeated without an answer, until the host answers: advices of captures and of sales
 * that were approved offline, and reversals. Requests of other types are reversed.
 */
const repeatedTypes: ReadonlySet<string> = new Set(['0220', '0400'])

/**
 * Connector to the host of an acquirer by ISO 8583. Requests, their repeats and reversals follow the rules for timeouts
 * of the domain notes, 2.4: a request without an answer is reversed by an advice, which is repeated until the host
 * answers.
 */
export function createIso8583Connector(options: Iso8583Options): RemoteConnector {
  const { name, profile, host, nextTrace, onMismatch } = options
  const drawn = createDrawnTraces()

  /** Builds and sends a message, and erases it. `build` throws a FieldError if the request does not fit a message. */
  async function exchange(build: () => IsoMessage): Promise<Exchanged> {
    let message: IsoMessage | undefined
    try {
      message = build()
      const outcome = await host.send(message)
      return { outcome, sent: withoutSecrets(message) }
    } catch (error) {
      if (!(error instanceof FieldError)) throw error
      return { outcome: { kind: 'invalid', error }, sent: NOTHING_SENT }
    } finally {
      if (message) wipeMessage(message)
    }
  }

  /**
   * "With `file` a capture sends no message, so that no capture is presented twice." Nor does its reversal: the file is
   * written later, without the reversed amount.
   */
  function isByFile({ operation, original }: OpenRequest): boolean {
    if (profile.presentation === 'host') return false
    return operation === 'CP' || (operation === 'RV' && isCapture(original?.sentAs))
  }

  async function send(request: AcquirerRequest, sentAs: string | undefined): Promise<Reply> {
    if (isByFile(request)) return answerByFile(request, sentAs)
    if (sentAs === undefined) return { status: 'notSent', reason: 'no trace number is free' }
    const trace = drawn.take(sentAs) ?? readSentAs(sentAs)
    const { outcome, sent } = await exchange(() => requestMessage(request, trace, profile, originalMessageOf(request)))
    switch (outcome.kind) {
      case 'answer':
        return answerTo(request, { message: sent, trace }, outcome.message)
      case 'invalid':
        return refusalOf(outcome.error)
      case 'notSent':
        return { status: 'notSent', reason: outcome.reason }
      case 'unknown':
        return { status: 'unknown' }
    }
  }

  function answerTo(
    request: AcquirerRequest,
    sent: { readonly message: IsoMessage; readonly trace: Trace },
    received: IsoMessage,
  ): Reply {
    const response = received.fields[39] ?? ''
    const read = readAndWipe(received, () => readAnswer(profile, request, sent, received))
    if (read.kind === 'mismatch') {
      onMismatch(read.field)
      return isRepeat(sent.message) ? { status: 'rejected', reason: mismatchReason(read.field) } : { status: 'unknown' }
    }
    switch (verdictOf(sent.message.type, response)) {
      case 'again':
      case 'undecided':
        return { status: 'unknown' }
      case 'repair':
        return { status: 'rejected', reason: repairReason(response) }
      case 'accepted':
        return acceptedBefore(request, read.answer)
      case undefined:
        return read.kind === 'partial' ? { status: 'toReverse', answer: read.answer } : read.answer
    }
  }

  /** The answer to a capture or its reversal of which only the clearing file informs the acquirer. */
  function answerByFile({ operation, testMode, amountMinor, original }: OpenRequest, sentAs?: string): AcquirerAnswer {
    const [originalReference = '', originalData = '', approvalCode = ''] = original?.references ?? []
    return {
      status: 'approved',
      code: successCode(testMode),
      amountMinor,
      details: {
        ExtendedDescription:
          operation === 'CP'
            ? 'Captured. The clearing file presents it to the issuer.'
            : 'Reversed. The clearing file does not present it.',
        clearingInstituteName: profile.name,
        ConnectorTxID1: sentAs === undefined ? originalReference : retrievalReference(readSentAs(sentAs)),
        ConnectorTxID2: originalData,
        ConnectorTxID3: approvalCode,
      },
    }
  }

  /** Sends an advice or a reversal again under its references: the host answers with the first outcome. */
  async function repeat(
    request: OpenRequest,
    sentAs: string,
    account?: AcquirerAccount,
    signal?: AbortSignal,
  ): Promise<ReversalOutcome> {
    const trace = readSentAs(sentAs)
    const { captureSequence } = trace
    const original = request.original && { ...request.original, captureSequence }
    const full = { ...request, ...noParameters, parameters: parametersOf(trace), account, original }
    if (!(await host.untilReady(signal))) return { kind: 'unknown' }
    const { outcome, sent } = await exchange(() => {
      const first = requestMessage(full, trace, profile, originalMessageOf(full))
      return { type: repeatTypeOf(trace.type), fields: { ...first.fields, ...trace.fields } }
    })
    if (outcome.kind !== 'answer') return { kind: 'unknown' }
    const answer = answerTo(full, { message: sent, trace }, outcome.message)
    if (answer.status === 'rejected') return { kind: 'rejected', reason: answer.reason }
    return answer.status === 'approved' || answer.status === 'declined' ? { kind: 'done', answer } : { kind: 'unknown' }
  }

  async function reverse(
    request: OpenRequest,
    attempt: ReversalAttempt | undefined,
    account?: AcquirerAccount,
    signal?: AbortSignal,
  ): Promise<ReversalOutcome> {
    if (isByFile(request)) return { kind: 'done', answer: answerByFile(request, attempt?.sentAs) }
    // An account verification holds no amount and has no attempt.
    if (!attempt) return request.amountMinor === 0 ? { kind: 'reversed' } : { kind: 'unknown' }
    const sent = readSentAs(attempt.sentAs)
    if (repeatedTypes.has(sent.type)) return repeat(request, attempt.sentAs, account, signal)
    const references = { sent, reversal: readSentAs(attempt.reversalSentAs), isRepeat: attempt.isRepeat }
    if (!(await host.untilReady(signal))) return { kind: 'unknown' }
    const { outcome, sent: advice } = await exchange(() =>
      reversalMessage(profile, requestMessage({ ...request, ...noParameters, account }, sent, profile), references),
    )
    if (outcome.kind !== 'answer') return { kind: 'unknown' }
    const { message } = outcome
    const response = readAndWipe(message, () => message.fields[39] ?? '')
    const differing = differingField(advice, message)
    if (differing !== undefined) {
      // The answer to another reversal says nothing about this one: "repeat 0421 until 0430".
      onMismatch(differing)
      return { kind: 'unknown' }
    }
    const verdict = verdictOf(advice.type, response)
    if (verdict === 'repair') return { kind: 'rejected', reason: repairReason(response) }
    return response === '' || verdict === 'again' ? { kind: 'unknown' } : { kind: 'reversed', response }
  }

  return {
    kind: 'remote',
    name,
    needsAccountLater: true,
    forwardsOfflineSales: true,
    async references(request, reversal) {
      if (reversal && repeatedTypes.has(readSentAs(reversal.sentAs).type)) return reversal.sentAs
      const trace = await nextTrace(terminalIdFor(request, reversal))
      if (!trace) return undefined
      const { parameters = noParameters.parameters, original } = request
      const full = isComplete(request) ? request : { ...noParameters, ...request }
      const message = keptMessage(full, trace, profile, originalMessageOf(request))
      const { captureSequence } = original ?? {}
      const text = writeSentAs(sentAsOf(message, trace, parameters, { captureSequence, reason: reversal?.reason }))
      if (!reversal && !isByFile(request)) drawn.add(text, trace)
      return text
    },
    send,
    reverse,
    clearing: {
      merchantId: profile.merchantId,
      institute: profile.name,
      cutOff: cutOffOf(profile),
      ...(profile.presentation === 'file' && { fileCapture }),
      agree: (day) => agreeTotals({ send: (message) => host.send(message), nextTrace }, profile, day),
    },
    isReady: () => host.isReady(),
    testConnections: () => host.testConnections(),
    open: () => host.open(),
    close: () => host.close(),
  }
}

/** Whether stored references are those of a capture. */
const isCapture = (sentAs: string | undefined): boolean =>
  sentAs !== undefined && readSentAs(sentAs).captureSequence !== undefined

function fileCapture(sentAs: string): FileCapture {
  const sent = readSentAs(sentAs)
  const { terminalId, captureSequence = 1, parameters } = sent
  const { sequence, numberOfCaptures } = parameters
  return {
    reference: retrievalReference(sent),
    terminalId,
    captureSequence,
    captureCount: captureCountOf({ captureSequence, sequence, numberOfCaptures }),
  }
}

/** The host answers a repeat with its first answer: if that differs, too, a further repeat cannot correct it. */
const isRepeat = ({ type }: IsoMessage): boolean => firstTypeOf(type) !== type

const mismatchReason = (field: number): string => `the acquirer answered with another value of field ${field}`

type Reply = AcquirerAnswer | NoAnswer | AnswerToReverse | RejectedMessage

/**
 * The result of a repeat that the host refuses because it has processed the first transmission ("94: query before
 * answering"). An advice cannot be declined for funds, and the approval of the payment covers its reversal.
 */
function acceptedBefore(
  { testMode, amountMinor }: AcquirerRequest,
  { details, ...answer }: AcquirerAnswer,
): AcquirerAnswer {
  const { MerchantAdviceCode: _, ...references } = details
  const explanation = 'Processed when it was sent for the first time.'
  return {
    ...answer,
    status: 'approved',
    code: successCode(testMode),
    amountMinor,
    details: { ...references, ExtendedDescription: explanation },
  }
}

/** Reads a received message, and erases its secrets, also after an error. */
function readAndWipe<T>(message: IsoMessage, read: () => T): T {
  try {
    return read()
  } finally {
    wipeMessage(message)
  }
}

interface Exchanged {
  readonly outcome: LinkOutcome<IsoFields> | { readonly kind: 'invalid'; readonly error: FieldError }
  /** The sent message without its secrets. */
  readonly sent: IsoMessage
}

const NOTHING_SENT: IsoMessage = { type: '', fields: {} }

/** The stored parameters of a request. */
const parametersOf = ({ parameters }: SentAs): AcquirerRequest['parameters'] => {
  const entries: (readonly [ParameterName, string])[] = []
  if (parameters.sequence !== undefined) entries.push(['sequence', parameters.sequence])
  if (parameters.numberOfCaptures !== undefined) entries.push(['numberOfCaptures', parameters.numberOfCaptures])
  return new Map(entries)
}

/** Whether an open request is the one that the gateway has just received, with its parameters. */
const isComplete = (request: OpenRequest & Partial<AcquirerRequest>): request is AcquirerRequest =>
  request.parameters !== undefined && request.secrets !== undefined && request.descriptor !== undefined

const noParameters = {
  parameters: new Map(),
  secrets: new Map(),
  descriptor: '',
  partialApproval: false,
} as const

/**
 * The terminal id of a message that names another one by field 90, which contains no terminal id: the host finds the
 * original among the messages of field 41. undefined: the message names none so, and any terminal id will do.
 */
function terminalIdFor(
  { operation, original }: Pick<OpenRequest, 'operation' | 'original'>,
  reversal: { readonly sentAs: string } | undefined,
): string | undefined {
  const isNamedByNetwork = operation === 'RF' && original?.networkTransactionId !== undefined
  const named = reversal?.sentAs ?? (isNamedByNetwork ? undefined : original?.sentAs)
  return named === undefined ? undefined : readSentAs(named).terminalId
}

function originalMessageOf({ original }: OpenRequest): OriginalMessage | undefined {
  const [reference, originalData, approvalCode] = original?.references ?? []
  if (!original || reference === undefined || originalData === undefined) return undefined
  return {
    retrievalReference: reference,
    originalData,
    approvalCode,
    networkTransactionId: original.networkTransactionId,
    originalAmountMinor: original.amountMinor,
    captureSequence: original.captureSequence,
    fields: original.sentAs === undefined ? undefined : readSentAs(original.sentAs).fields,
  }
}

const AMOUNT = 4

/** The decline of a request with a value that fits in no message: no other connector or time would change it. */
const refusalOf = ({ field, message }: FieldError): AcquirerAnswer => ({
  status: 'declined',
  code: field === AMOUNT ? '100.550.301' : '200.300.404',
  amountMinor: 0,
  details: { ExtendedDescription: `Not sent: ${message}.` },
})

/** The fields of a message that its answer repeats; the message itself is erased when it is sent. */
function withoutSecrets({ type, fields }: IsoMessage): IsoMessage {
  return {
    type,
    fields: { 3: fields[3], 4: fields[4], 37: fields[37], 41: fields[41], 42: fields[42], 49: fields[49] },
  }
}
