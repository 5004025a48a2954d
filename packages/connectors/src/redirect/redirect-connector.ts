import { successCode } from '@tollgate/domain'
import type {
  AcquirerAnswer,
  AcquirerOperation,
  AcquirerRequest,
  NoAnswer,
  OpenRequest,
  RemoteConnector,
  ReversalOutcome,
} from '../port.ts'
import {
  amountOf,
  answerOf,
  newPaymentOf,
  type ProviderRequest,
  type ProviderPayment,
  readPayment,
  readRefusal,
} from './provider.ts'

/**
 * Result of a request to the provider. `status` is 0 without an answer. `sent`: the provider may have received the
 * request.
 */
export interface ExchangeResult {
  readonly status: number
  readonly body: string
  readonly sent: boolean
}

/**
 * Sends one request to the provider. Its duration and the length of the answer are bounded. Never rejects.
 *
 * @param headers in addition to those of JSON, such as `authorization`
 */
export type Exchange = (
  method: 'GET' | 'POST',
  url: string,
  body?: object,
  headers?: Readonly<Record<string, string>>,
) => Promise<ExchangeResult>

const UNKNOWN: NoAnswer = { status: 'unknown' }

/** Path of an operation on an existing payment, and the description of its success. */
interface FollowUp {
  readonly path: 'captures' | 'increases' | 'reversals' | 'refunds'
  readonly description: string
}

/** undefined: the operation only begins payments. */
const followUps: Readonly<Record<AcquirerOperation, FollowUp | undefined>> = {
  PA: { path: 'increases', description: 'The held amount was increased.' },
  CP: { path: 'captures', description: 'Captured.' },
  RV: { path: 'reversals', description: 'Reversed.' },
  RF: { path: 'refunds', description: 'Refunded.' },
  DB: undefined,
  CD: undefined,
}

/**
 * Connector to banks and wallets to which shoppers are redirected. A payment is opened under its transaction id, so
 * that a repeated request finds it; the shopper confirms it; then its state is queried, also after a notification. Each
 * follow-up has its own reference, under which it is carried out once.
 *
 * @param baseUrl the base URL of the provider, without a slash at its end
 */
export function createRedirectConnector(baseUrl: string, exchange: Exchange): RemoteConnector {
  const paymentsUrl = `${baseUrl}/bank/payments`

  async function openPayment(request: AcquirerRequest): Promise<AcquirerAnswer | NoAnswer> {
    const result = await exchange('POST', paymentsUrl, newPaymentOf(request))
    const { status, body } = result
    // For a charge under an agreement, 4xx is a decline: the shopper may have ended the agreement.
    const isRefused = request.account?.number !== undefined && status >= 400 && status < 500
    return isRefused ? refusalOf(undefined, readRefusal(body)) : answerTo(request, result)
  }

  /** Captures, increases, reverses or refunds; a repeated request gets the same answer. */
  async function sendFollowUp(request: OpenRequest): Promise<AcquirerAnswer | NoAnswer> {
    const { operation, original, transactionId, amountMinor, testMode } = request
    const followUp = followUps[operation]
    const [id] = original?.references ?? []
    if (!followUp || !original || id === undefined) {
      return { status: 'notSent', reason: 'the payment has no reference at the provider' }
    }
    const { status, body, sent } = await exchange('POST', `${paymentsUrl}/${encodeURIComponent(id)}/${followUp.path}`, {
      reference: transactionId,
      amount: amountOf(request),
      // The reference of the payment, or of one of its captures.
      of: original.transactionId,
    })
    if (status === 0) return noAnswer(sent)
    if (status >= 400 && status < 500) return refusalOf(id, readRefusal(body))
    const payment = status >= 200 && status < 300 ? readPayment(body) : undefined
    // After a failure of the provider, or an answer about another payment, the operation may have been carried out.
    if (payment?.id !== id) return UNKNOWN
    const details = { ExtendedDescription: followUp.description, ConnectorTxID1: id }
    return { status: 'approved', code: successCode(testMode), amountMinor, details }
  }

  return {
    kind: 'remote',
    name: 'redirect',
    send: (request) => (request.original ? sendFollowUp(request) : openPayment(request)),
    async reverse(request): Promise<ReversalOutcome> {
      if (request.original?.references.length === 0) return { kind: 'reversed' }
      if (request.original) return repeat(request)
      const { status } = await exchange('POST', `${paymentsUrl}/cancellations`, { reference: request.transactionId })
      return status >= 200 && status < 300 ? { kind: 'reversed' } : { kind: 'unknown' }
    },
    async inquire(inquiry) {
      const [id = ''] = inquiry.references
      return answerTo(inquiry, await exchange('GET', `${paymentsUrl}/${encodeURIComponent(id)}`))
    },
  }

  /** Repeats the operation under its reference: the provider answers with the first outcome. */
  async function repeat(request: OpenRequest): Promise<ReversalOutcome> {
    const answer = await sendFollowUp(request)
    return answer.status === 'unknown' || answer.status === 'notSent' ? { kind: 'unknown' } : { kind: 'done', answer }
  }
}

/** A refusal by the provider is a decline, because the provider is authoritative on its payments and agreements. */
function refusalOf(id: string | undefined, reason: string): AcquirerAnswer {
  const details = {
    ExtendedDescription: `The provider refuses: ${reason}.`,
    ...(id !== undefined && { ConnectorTxID1: id }),
  }
  return { status: 'declined', code: '800.100.152', amountMinor: 0, details }
}

/** An answer about another payment than that of the request says nothing about it. */
function answerTo(request: ProviderRequest & Pick<OpenRequest, 'transactionId'>, result: ExchangeResult) {
  const { status, body, sent } = result
  if (status === 0) return noAnswer(sent)
  const payment: ProviderPayment | undefined = status >= 200 && status < 300 ? readPayment(body) : undefined
  return payment?.reference === request.transactionId ? answerOf(request, payment) : UNKNOWN
}

const noAnswer = (sent: boolean): NoAnswer =>
  sent ? UNKNOWN : { status: 'notSent', reason: 'there was no connection' }
