import { successIn } from '@tollgate/domain'
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

/** The provider's answer; its status is 0 without one. `sent`: the provider may have received the request. */
export interface Exchanged {
  readonly status: number
  readonly body: string
  readonly sent: boolean
}

/** One request to the provider. Never rejects, and ends within a bound; bodies are bounded too. */
export type Exchange = (method: 'GET' | 'POST', url: string, body?: object) => Promise<Exchanged>

const UNKNOWN: NoAnswer = { status: 'unknown' }

/** The provider's call for each operation on an existing payment, and the description of its success. */
interface FollowUp {
  readonly path: 'captures' | 'increases' | 'reversals' | 'refunds'
  readonly done: string
}

/** undefined: the operation begins a payment. */
const followUps: Readonly<Record<AcquirerOperation, FollowUp | undefined>> = {
  PA: { path: 'increases', done: 'The provider holds more.' },
  CP: { path: 'captures', done: 'Captured.' },
  RV: { path: 'reversals', done: 'Reversed.' },
  RF: { path: 'refunds', done: 'Given back.' },
  DB: undefined,
  CD: undefined,
}

/**
 * Connector to banks and wallets that shoppers are redirected to. A payment is opened under our reference, so that a
 * repeated request finds it; the shopper confirms it; then its state is queried, also after a notification. Each
 * follow-up has its own reference, under which it is carried out once.
 *
 * @param baseUrl of the provider, without a slash at its end
 */
export function createRedirectConnector(baseUrl: string, exchange: Exchange): RemoteConnector {
  const payments = `${baseUrl}/bank/payments`

  async function open(request: AcquirerRequest): Promise<AcquirerAnswer | NoAnswer> {
    const exchanged = await exchange('POST', payments, newPaymentOf(request))
    const { status, body } = exchanged
    // The shopper may have ended the agreement with the provider.
    const isRefused = request.account?.number !== undefined && status >= 400 && status < 500
    return isRefused ? refusalOf(undefined, readRefusal(body)) : answerTo(request, exchanged)
  }

  /** Captures, increases, reverses or refunds; a repeated request gets the same answer. */
  async function follow(request: OpenRequest): Promise<AcquirerAnswer | NoAnswer> {
    const { operation, original, transactionId, amountMinor, testMode } = request
    const call = followUps[operation]
    const [id] = original?.references ?? []
    if (!call || !original || id === undefined) {
      return { status: 'notSent', why: 'the payment has no reference at the provider' }
    }
    const { status, body, sent } = await exchange('POST', `${payments}/${encodeURIComponent(id)}/${call.path}`, {
      reference: transactionId,
      amount: amountOf(request),
      // The reference of the payment, or of one of its captures.
      of: original.transactionId,
    })
    if (status === 0) return noAnswer(sent)
    if (status >= 400 && status < 500) return refusalOf(id, readRefusal(body))
    const payment = status >= 200 && status < 300 ? readPayment(body) : undefined
    // After a failure of the provider the operation may have been carried out.
    if (!payment) return UNKNOWN
    const details = { ExtendedDescription: call.done, ConnectorTxID1: id }
    return { status: 'approved', code: successIn(testMode), amountMinor, details }
  }

  return {
    kind: 'remote',
    name: 'redirect',
    ask: (request) => (request.original ? follow(request) : open(request)),
    async end(request): Promise<ReversalOutcome> {
      if (request.original?.references.length === 0) return { kind: 'reversed' }
      if (request.original) return repeat(request)
      const { status } = await exchange('POST', `${payments}/cancellations`, { reference: request.transactionId })
      return status >= 200 && status < 300 ? { kind: 'reversed' } : { kind: 'unknown' }
    },
    async inquire(inquiry) {
      const [id = ''] = inquiry.references
      return answerTo(inquiry, await exchange('GET', `${payments}/${encodeURIComponent(id)}`))
    },
  }

  /** Repeats the operation under its reference: the provider answers with the first outcome. */
  async function repeat(request: OpenRequest): Promise<ReversalOutcome> {
    const answer = await follow(request)
    return answer.status === 'unknown' || answer.status === 'notSent' ? { kind: 'unknown' } : { kind: 'done', answer }
  }
}

/** The provider's refusal as a decline: its amounts decide. */
function refusalOf(id: string | undefined, why: string): AcquirerAnswer {
  const details = {
    ExtendedDescription: `The provider refuses: ${why}.`,
    ...(id !== undefined && { ConnectorTxID1: id }),
  }
  return { status: 'declined', code: '800.100.152', amountMinor: 0, details }
}

function answerTo(request: ProviderRequest, { status, body, sent }: Exchanged) {
  if (status === 0) return noAnswer(sent)
  const payment: ProviderPayment | undefined = status >= 200 && status < 300 ? readPayment(body) : undefined
  return payment ? answerOf(request, payment) : UNKNOWN
}

const noAnswer = (sent: boolean): NoAnswer => (sent ? UNKNOWN : { status: 'notSent', why: 'there was no connection' })
