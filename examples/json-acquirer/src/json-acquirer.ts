import type {
  AcquirerAnswer,
  AcquirerOperation,
  AcquirerRequest,
  Exchange,
  NoAnswer,
  OpenRequest,
  RemoteConnector,
  ReversalOutcome,
} from '@tollgate/connectors'
import type { Secret } from '@tollgate/contract'
import { answerTo } from './answer.ts'
import { newPaymentOf } from './new-payment.ts'

export interface JsonAcquirerOptions {
  /** The account at the acquirer, which is stored with each attempt. */
  readonly name: string
  /** The base URL of the acquirer's API, without a slash at its end. */
  readonly baseUrl: string
  /** The key of the account, which is sent as a bearer token. */
  readonly apiKey: Secret
  /** Sends requests; supplied by the gateway, which bounds their duration and the length of answers. */
  readonly exchange: Exchange
}

/** Path of each operation on an earlier transaction; undefined: the operation only begins payments. */
const followUps: Readonly<Record<AcquirerOperation, 'capture' | 'release' | 'refund' | 'increase' | undefined>> = {
  PA: 'increase',
  CP: 'capture',
  RV: 'release',
  RF: 'refund',
  DB: undefined,
  CD: undefined,
}

/**
 * Connector to an acquirer with an API of JSON over HTTPS. Every request has the id of its transaction, under which the
 * acquirer carries it out once and answers repeats as the first time. So the connector needs no references of its own.
 */
export function createJsonAcquirer({ name, baseUrl, apiKey, exchange }: JsonAcquirerOptions): RemoteConnector {
  const post = (path: string, body: object) =>
    exchange('POST', `${baseUrl}${path}`, body, {
      authorization: `Bearer ${apiKey.use((bytes) => Buffer.from(bytes).toString('latin1'))}`,
    })

  async function begin(request: AcquirerRequest): Promise<AcquirerAnswer | NoAnswer> {
    if (request.account?.kind !== 'card') return { status: 'notSent', reason: 'the acquirer takes cards only' }
    return answerTo(request, request.partialApproval, await post('/payments', newPaymentOf(request)))
  }

  /** Captures, releases, refunds or increases. The request has no account: the acquirer knows its transaction. */
  async function follow(request: OpenRequest): Promise<AcquirerAnswer | NoAnswer> {
    const { transactionId: id, operation, amountMinor, currency, original } = request
    const [path, reference] = [followUps[operation], original?.references[0]]
    if (path === undefined || reference === undefined)
      return { status: 'notSent', reason: 'the acquirer has no reference of the earlier transaction' }
    const body = { id, amountMinor, currency }
    return answerTo(request, false, await post(`/transactions/${encodeURIComponent(reference)}/${path}`, body))
  }

  /** Repeats an operation on an earlier transaction: the acquirer carries it out once. */
  async function repeat(request: OpenRequest): Promise<ReversalOutcome> {
    const answer = await follow(request)
    return answer.status === 'unknown' || answer.status === 'notSent' ? { kind: 'unknown' } : { kind: 'done', answer }
  }

  return {
    kind: 'remote',
    name,
    send: (request) => (request.original ? follow(request) : begin(request)),
    async reverse(request) {
      if (request.original) return repeat(request)
      // After a cancellation the acquirer also refuses the request itself, if that arrives later.
      const { status } = await post('/cancellations', { id: request.transactionId })
      return { kind: status === 200 ? 'reversed' : 'unknown' }
    },
  }
}
