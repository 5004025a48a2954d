import {
  type AcquirerAnswer,
  type AcquirerRequest,
  createSimulator,
  type ReversalOutcome,
  type OpenRequest,
  type RemoteConnector,
  type NoAnswer,
} from '@tollgate/connectors'

/** An authorisation request that waits for the test to answer it. */
export interface SentRequest {
  readonly request: AcquirerRequest
  /** Answers like the simulator, and records approved requests. */
  readonly answer: () => void
  /** Executes the request without an answer. */
  readonly executeSilently: () => void
  readonly fail: (outcome: NoAnswer) => void
}

/** An acquirer across a network, with its records. The test determines the time of its answers. */
export interface RemoteAcquirer {
  readonly connector: RemoteConnector
  readonly requests: readonly SentRequest[]
  /** Resolves with the request at a position, from 0, once it is sent. */
  readonly nth: (position: number) => Promise<SentRequest>
  /** The received requests of timeout reversals. */
  readonly reversalRequests: readonly OpenRequest[]
  /** Whether timeout reversals reach the acquirer. */
  isReachable: boolean
  /** The answer to later requests; undefined if the test answers each request. */
  reply: 'answer' | 'unknown' | undefined
  /** The amounts of executed transactions that were not reversed, in minor units, by the id of the transaction. */
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
    isReachable: true,
    reply: undefined,
    nth: (position) =>
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
        if (!remote.isReachable) return { kind: 'unknown' }
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
