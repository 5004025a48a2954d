import type { AcquirerAnswer, AcquirerRequest, Ending, OpenQuestion, RemoteConnector, Silence } from '../port.ts'
import { successIn } from '@tollgate/domain'
import { amountOf, answerOf, type Asked, openingOf, type ProviderPayment, readPayment } from './provider.ts'

/** What came back from the provider: its status, 0 where nothing did. `sent`: it may have heard of the request. */
export interface Exchanged {
  readonly status: number
  readonly body: string
  readonly sent: boolean
}

/** One request to the provider. Never rejects, and ends within a bound; bodies are bounded too. */
export type Exchange = (method: 'GET' | 'POST', url: string, body?: object) => Promise<Exchanged>

const UNKNOWN: Silence = { status: 'unknown' }

/**
 * Banks and wallets whose page the shopper is sent to. A payment is opened there under our reference, so that opening
 * it again finds the same one; the shopper confirms it; then it is asked for, whoever says that it has changed.
 *
 * @param baseUrl of the provider, without a slash at its end
 */
export function createRedirectConnector(baseUrl: string, exchange: Exchange): RemoteConnector {
  const payments = `${baseUrl}/bank/payments`

  async function open(request: AcquirerRequest): Promise<AcquirerAnswer | Silence> {
    return heard(request, await exchange('POST', payments, openingOf(request)))
  }

  /** A refund or reversal of what was paid, under a reference of its own. */
  async function giveBack(request: AcquirerRequest): Promise<AcquirerAnswer | Silence> {
    const [id = ''] = request.original?.references ?? []
    const url = `${payments}/${encodeURIComponent(id)}/refunds`
    const { status, body, sent } = await exchange('POST', url, {
      reference: request.transactionId,
      amount: amountOf(request),
    })
    if (status === 0) return silence(sent)
    const payment = status < 300 ? readPayment(body) : undefined
    const details = { ExtendedDescription: payment ? 'Given back.' : 'The bank does not give it back.' }
    return payment
      ? { status: 'approved', code: successIn(request.testMode), amountMinor: request.amountMinor, details }
      : { status: 'declined', code: '800.100.152', amountMinor: 0, details }
  }

  return {
    kind: 'remote',
    name: 'redirect',
    ask: (request) => (request.original ? giveBack(request) : open(request)),
    async end(question): Promise<Ending> {
      if (question.original) return endGivingBack(question)
      const { status } = await exchange('POST', `${payments}/cancellations`, { reference: question.transactionId })
      return status >= 200 && status < 300 ? { kind: 'undone' } : { kind: 'unknown' }
    },
    async inquire(inquiry) {
      const [id = ''] = inquiry.references
      return heard(inquiry, await exchange('GET', `${payments}/${encodeURIComponent(id)}`))
    },
  }

  /** It is asked for once more: under one reference a refund is made once. */
  async function endGivingBack(question: OpenQuestion): Promise<Ending> {
    const said = await giveBack({
      ...question,
      descriptor: '',
      partialApproval: false,
      parameters: none,
      secrets: none,
    })
    return said.status === 'unknown' || said.status === 'unsent' ? { kind: 'unknown' } : { kind: 'done', answer: said }
  }
}

const none = new Map<string, never>()

function heard(asked: Asked, { status, body, sent }: Exchanged) {
  if (status === 0) return silence(sent)
  const payment: ProviderPayment | undefined = status >= 200 && status < 300 ? readPayment(body) : undefined
  return payment ? answerOf(asked, payment) : UNKNOWN
}

const silence = (sent: boolean): Silence => (sent ? UNKNOWN : { status: 'unsent', why: 'there was no connection' })
