import {
  type AcquirerAnswer,
  type AcquirerRequest,
  createSimulator,
  type ReversalOutcome,
  type OpenRequest,
  type RemoteConnector,
  type NoAnswer,
} from '@tollgate/connectors'

/** An authorisation request that the gateway has sent, and the ways in which the test can end it. */
export interface SentRequest {
  readonly request: AcquirerRequest
  /** Answers the request as the simulator does, and records its amount if it is approved. */
  readonly answer: () => void
  /** Executes and records the request, but sends no answer. */
  readonly executeSilently: () => void
  readonly fail: (outcome: NoAnswer) => void
}

/** An acquirer across a network, with its books. The test determines the time of its answers. */
export interface RemoteAcquirer {
  readonly connector: RemoteConnector
  readonly requests: readonly SentRequest[]
  /** Resolves with the request at a position, from 0, once the request is sent. */
  readonly nthRequest: (position: number) => Promise<SentRequest>
  /** The requests of timeout reversals, with or without an answer. */
  readonly reversalRequests: readonly OpenRequest[]
  /** Whether timeout reversals are executed and answered; otherwise their outcome is unknown. */
  answersReversals: boolean
  /** The reaction to later authorisation requests; undefined if the test answers each request. */
  reply: 'answer' | 'unknown' | undefined
  /** The amounts of approved transactions that no timeout reversal has reversed, in minor units, by transaction id. */
  readonly books: ReadonlyMap<string, number>
}

export function remoteAcquirer(): RemoteAcquirer {
  const simulator = createSimulator()
  const requests: SentRequest[] = []
  const reversalRequests: OpenRequest[] = []
  const books = new Map<string, number>()
  const waiting: { readonly position: number; readonly resolve: (sent: SentRequest) => void }[] = []

  function execute(request: AcquirerRequest): AcquirerAnswer {
    const answer = simulator.send(request)
    if (answer.status === 'approved') books.set(request.transactionId, answer.amountMinor)
    return answer
  }

  const remote: RemoteAcquirer = {
    requests,
    reversalRequests,
    books,
    answersReversals: true,
    reply: undefined,
    nthRequest: (position) =>
      new Promise((resolve) => {
        const sent = requests[position]
        if (sent) resolve(sent)
        else waiting.push({ position, resolve })
      }),
    connector: {
      kind: 'remote',
      name: 'remote',
      send: (request) =>
        new Promise((resolve) => {
          const sent: SentRequest = {
            request,
            answer: () => resolve(execute(request)),
            executeSilently: () => void execute(request),
            fail: resolve,
          }
          requests.push(sent)
          if (remote.reply === 'answer') sent.answer()
          if (remote.reply === 'unknown') sent.fail({ status: 'unknown' })
          for (const { position, resolve: deliver } of waiting) if (position === requests.length - 1) deliver(sent)
        }),
      async reverse(request): Promise<ReversalOutcome> {
        reversalRequests.push(request)
        if (!remote.answersReversals) return { kind: 'unknown' }
        if (request.operation === 'RV') {
          books.set(request.transactionId, request.amountMinor)
          const details = { ExtendedDescription: 'Reversed, as requested before.' }
          return {
            kind: 'done',
            answer: { status: 'approved', code: '000.100.110', amountMinor: request.amountMinor, details },
          }
        }
        books.delete(request.transactionId)
        return { kind: 'reversed' }
      },
    },
  }
  return remote
}
