import { successIn } from '@tollgate/domain'
import type {
  AcquirerAnswer,
  AcquirerOperation,
  AcquirerRequest,
  Ending,
  OpenRequest,
  RemoteConnector,
  Silence,
} from '../port.ts'
import {
  amountOf,
  answerOf,
  type ProviderRequest,
  openingOf,
  type ProviderPayment,
  readPayment,
  readRefusal,
} from './provider.ts'

/** What came back from the provider: its status, 0 where nothing did. `sent`: it may have heard of the request. */
export interface Exchanged {
  readonly status: number
  readonly body: string
  readonly sent: boolean
}

/** One request to the provider. Never rejects, and ends within a bound; bodies are bounded too. */
export type Exchange = (method: 'GET' | 'POST', url: string, body?: object) => Promise<Exchanged>

const UNKNOWN: Silence = { status: 'unknown' }

/** The provider's call for each operation on an existing payment, and the description of its success. */
interface FollowUp {
  readonly path: 'captures' | 'increases' | 'reversals' | 'refunds'
  readonly done: string
}

/** undefined: it begins a payment. */
const followUps: Readonly<Record<AcquirerOperation, FollowUp | undefined>> = {
  PA: { path: 'increases', done: 'The provider holds more.' },
  CP: { path: 'captures', done: 'Captured.' },
  RV: { path: 'reversals', done: 'Reversed.' },
  RF: { path: 'refunds', done: 'Given back.' },
  DB: undefined,
  CD: undefined,
}

/**
 * Banks and wallets whose page the shopper is sent to. A payment is opened there under our reference, so that opening
 * it again finds the same one; the shopper confirms it; then its state is read from the provider, even after a
 * notification of it. Each later operation has a reference of its own, under which it is done once.
 *
 * @param baseUrl of the provider, without a slash at its end
 */
export function createRedirectConnector(baseUrl: string, exchange: Exchange): RemoteConnector {
  const payments = `${baseUrl}/bank/payments`

  async function open(request: AcquirerRequest): Promise<AcquirerAnswer | Silence> {
    const exchanged = await exchange('POST', payments, openingOf(request))
    const { status, body } = exchanged
    // Nothing was opened: the shopper may have ended the agreement with the provider.
    const isRefused = request.account?.number !== undefined && status >= 400 && status < 500
    return isRefused ? refusalOf(undefined, readRefusal(body)) : heard(request, exchanged)
  }

  /** Captures, increases, reverses or refunds; the same once more gets the same answer. */
  async function follow(question: OpenRequest): Promise<AcquirerAnswer | Silence> {
    const { operation, original, transactionId, amountMinor, testMode } = question
    const call = followUps[operation]
    const [id] = original?.references ?? []
    if (!call || !original || id === undefined) {
      return { status: 'notSent', why: 'the payment has no reference at the provider' }
    }
    const { status, body, sent } = await exchange('POST', `${payments}/${encodeURIComponent(id)}/${call.path}`, {
      reference: transactionId,
      amount: amountOf(question),
      // The payment, or one of its captures, by the reference that it was made under.
      of: original.transactionId,
    })
    if (status === 0) return silence(sent)
    if (status >= 400 && status < 500) return refusalOf(id, readRefusal(body))
    const payment = status >= 200 && status < 300 ? readPayment(body) : undefined
    // After a failure of the provider the operation may have been done.
    if (!payment) return UNKNOWN
    const details = { ExtendedDescription: call.done, ConnectorTxID1: id }
    return { status: 'approved', code: successIn(testMode), amountMinor, details }
  }

  return {
    kind: 'remote',
    name: 'redirect',
    ask: (request) => (request.original ? follow(request) : open(request)),
    async end(question): Promise<Ending> {
      if (question.original?.references.length === 0) return { kind: 'undone' }
      if (question.original) return endFollowUp(question)
      const { status } = await exchange('POST', `${payments}/cancellations`, { reference: question.transactionId })
      return status >= 200 && status < 300 ? { kind: 'undone' } : { kind: 'unknown' }
    },
    async inquire(inquiry) {
      const [id = ''] = inquiry.references
      return heard(inquiry, await exchange('GET', `${payments}/${encodeURIComponent(id)}`))
    },
  }

  /** Repeats the operation under its reference: the provider answers with the first outcome. */
  async function endFollowUp(question: OpenRequest): Promise<Ending> {
    const said = await follow(question)
    return said.status === 'unknown' || said.status === 'notSent' ? { kind: 'unknown' } : { kind: 'done', answer: said }
  }
}

/** A refusal by the provider, whose amounts decide. */
function refusalOf(id: string | undefined, why: string): AcquirerAnswer {
  const details = {
    ExtendedDescription: `The provider refuses: ${why}.`,
    ...(id !== undefined && { ConnectorTxID1: id }),
  }
  return { status: 'declined', code: '800.100.152', amountMinor: 0, details }
}

function heard(asked: ProviderRequest, { status, body, sent }: Exchanged) {
  if (status === 0) return silence(sent)
  const payment: ProviderPayment | undefined = status >= 200 && status < 300 ? readPayment(body) : undefined
  return payment ? answerOf(asked, payment) : UNKNOWN
}

const silence = (sent: boolean): Silence => (sent ? UNKNOWN : { status: 'notSent', why: 'there was no connection' })
