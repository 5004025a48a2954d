import type { KeyObject } from 'node:crypto'
import type {
  AcquirerAnswer,
  AcquirerRequest,
  AnswerToReverse,
  Inquiry,
  NoAnswer,
  RemoteConnector,
  ReversalOutcome,
} from '../port.ts'
import { approvedMinorOf, type AnsweredRequest, type AnswerMeaning, readAnswer, refusedAnswer } from './answer.ts'
import { createUpstreamClient, type UpstreamAccess } from './client.ts'
import { formOf } from './form.ts'
import type { UpstreamPayment } from './payment-json.ts'
import { readNotification } from './notification.ts'
import { readReferences, writeReferences } from './references.ts'
import { currencyOf, isCharge, type UpstreamAccount } from './replaced-parameters.ts'
import { noAnswerOf, readReply, type ReplyMeaning } from './reply.ts'
import { resultOf } from './result-code.ts'
import { reverseRequest, undo } from './reversal.ts'

/**
 * What an operator must know of. testMode: in live, the upstream has processed a payment in a test mode. mismatch: an
 * answer is malformed, or about another request. notAuthorised: the upstream refuses the access token. duplicate: the
 * upstream has carried out a follow-up twice.
 */
export type UpstreamAlert =
  | { readonly kind: 'testMode' | 'notAuthorised' | 'duplicate'; readonly transactionId: string }
  | { readonly kind: 'mismatch'; readonly transactionId: string; readonly field: string }

export interface UpstreamOptions extends UpstreamAccess, UpstreamAccount {
  /** The account at the upstream, which is stored with each attempt. */
  readonly name: string
  /** Draws an id that no other attempt has. */
  readonly newId: () => string
  readonly now: () => number
  /** The key of the notifications of the upstream, 32 bytes; undefined: they are not accepted. */
  readonly notificationKey?: KeyObject | undefined
  readonly onAlert: (alert: UpstreamAlert) => void
}

/**
 * Connector to another gateway that speaks the same public contract: the provider that a merchant uses today. Each
 * attempt has a reference of its own there (`merchantTransactionId`), by which it is found when its answer is missing.
 */
export function createUpstreamConnector(options: UpstreamOptions): RemoteConnector {
  const { name, environment, newId, now, notificationKey, onAlert } = options
  const client = createUpstreamClient(options)
  const account: UpstreamAccount = options
  const rules = { name, environment }
  const drawReference = ({ transactionId }: Pick<AcquirerRequest, 'transactionId'>): string =>
    `${transactionId}-${newId()}`

  function alertOf({ transactionId }: Pick<AcquirerRequest, 'transactionId'>, meaning: ReplyMeaning): void {
    if (meaning.kind === 'notAuthorised') onAlert({ kind: 'notAuthorised', transactionId })
    if (meaning.kind === 'malformed') onAlert({ kind: 'mismatch', transactionId, field: 'body' })
  }

  /** Reports an answer that is not accepted. */
  function alertOfAnswer({ transactionId }: Pick<AcquirerRequest, 'transactionId'>, meaning: AnswerMeaning): void {
    if (meaning.kind === 'mismatch') onAlert({ kind: 'mismatch', transactionId, field: meaning.field })
    if (meaning.kind === 'refused' && meaning.reason === 'testMode') onAlert({ kind: 'testMode', transactionId })
  }

  async function send(request: AcquirerRequest, sentAs?: string): Promise<AcquirerAnswer | NoAnswer | AnswerToReverse> {
    const path = pathOf(request)
    if (path === undefined || sentAs === undefined) {
      return { status: 'notSent', reason: 'the payment has no reference at the upstream gateway' }
    }
    const { reference } = readReferences(sentAs)
    const replied = readReply(await client.post(path, formOf({ request, account, reference }), reference))
    if (replied.kind !== 'payment') {
      alertOf(request, replied)
      return noAnswerOf(replied)
    }
    const currency = currencyOf({ request, account })
    const meaning = readAnswer(rules, { ...request, currency, reference }, replied.payment)
    alertOfAnswer(request, meaning)
    switch (meaning.kind) {
      case 'answer':
        return meaning.answer
      case 'refused':
        return { status: 'toReverse', answer: meaning.answer }
      case 'mismatch':
      case 'uncertain':
        return { status: 'unknown' }
    }
  }

  async function inquire(inquiry: Inquiry): Promise<AcquirerAnswer | NoAnswer> {
    const [id] = inquiry.references
    if (id === undefined) return { status: 'unknown' }
    const replied = readReply(await client.read(id))
    if (replied.kind !== 'payment') {
      alertOf(inquiry, replied)
      return { status: 'unknown' }
    }
    const { payment } = replied
    const expected: AnsweredRequest = { ...inquiry, id, reference: undefined, awaitsResult: true }
    const meaning = readAnswer(rules, expected, payment)
    alertOfAnswer(inquiry, meaning)
    switch (meaning.kind) {
      case 'answer':
        return meaning.answer
      case 'refused':
        return undone(inquiry, payment, meaning.answer)
      case 'mismatch':
        return otherAmount(inquiry, payment, expected)
      case 'uncertain':
        return { status: 'unknown' }
    }
  }

  /** The result of a pending payment that is not accepted, and that is therefore reversed. */
  async function undone(inquiry: Inquiry, payment: UpstreamPayment, answer: AcquirerAnswer) {
    const isUndone = await undo({ client, account }, inquiry, payment, drawReference(inquiry))
    return isUndone ? answer : ({ status: 'unknown' } as const)
  }

  /**
   * "Never let an amount/currency mismatch pass as success (000.400.040)": a pending payment that was approved with
   * another amount is approved for review; one in another currency is reversed and declined.
   */
  async function otherAmount(
    inquiry: Inquiry,
    payment: UpstreamPayment,
    expected: AnsweredRequest,
  ): Promise<AcquirerAnswer | NoAnswer> {
    const { outcome } = resultOf(payment.code)
    const isAbout = payment.id === expected.id && payment.paymentType === inquiry.operation
    if (!isAbout || (outcome !== 'success' && outcome !== 'review')) return { status: 'unknown' }
    const approvedMinor = approvedMinorOf(expected, payment)
    if (approvedMinor !== undefined) {
      const answer = refusedAnswer(rules, expected, payment, '000.400.040')
      return { ...answer, status: 'approved', amountMinor: approvedMinor }
    }
    return undone(inquiry, payment, refusedAnswer(rules, expected, payment, '100.390.101'))
  }

  return {
    kind: 'remote',
    name,
    redirectsShoppers: true,
    references: async (request) => writeReferences({ reference: drawReference(request), atMs: now() }),
    send,
    inquire,
    ...(notificationKey && { readNotification: (received) => readNotification(notificationKey, received) }),
    async reverse(request, attempt): Promise<ReversalOutcome> {
      if (!attempt) return { kind: 'unknown' }
      const onDuplicate = (transactionId: string) => onAlert({ kind: 'duplicate', transactionId })
      return reverseRequest({ client, account, rules, now, onDuplicate }, request, attempt)
    },
    close: () => options.exchange.close(),
  }
}

/** "payment id, registration id: exactly 32 letters or digits" (contract). */
const ID = /^[A-Za-z0-9]{32}$/

/** The path of a request; undefined: a follow-up or a charge whose original the upstream does not know. */
function pathOf(request: AcquirerRequest): string | undefined {
  if (request.original) {
    const [id = ''] = request.original.references
    return ID.test(id) ? `/v1/payments/${id}` : undefined
  }
  if (!isCharge(request)) return '/v1/payments'
  const id = request.account?.number?.use((bytes) => new TextDecoder().decode(bytes)) ?? ''
  return ID.test(id) ? `/v1/registrations/${id}/payments` : undefined
}
