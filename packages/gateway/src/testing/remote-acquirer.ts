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
  /** Makes the transaction; its answer is lost. */
  readonly doSilently: () => void
  readonly silence: (silence: NoAnswer) => void
}

/** An acquirer across a network, with its records. The test decides when it answers. */
export interface RemoteAcquirer {
  readonly connector: RemoteConnector
  readonly requests: readonly SentRequest[]
  /** Resolves with the request of that position, once it was sent. */
  readonly nth: (position: number) => Promise<SentRequest>
  readonly ended: readonly OpenRequest[]
  /** Whether timeout reversals reach it. */
  isReachable: boolean
  /** Its answer to requests from now on; undefined: the test answers each. */
  reply: 'answer' | 'unknown' | undefined
  /** The amounts of transactions that were made and not reversed, in minor units, by transaction. */
  readonly books: ReadonlyMap<string, number>
}

export function remoteAcquirer(): RemoteAcquirer {
  const simulator = createSimulator()
  const requests: SentRequest[] = []
  const ended: OpenRequest[] = []
  const books = new Map<string, number>()
  const waiting: { readonly position: number; readonly resolve: (one: SentRequest) => void }[] = []

  function act(request: AcquirerRequest): AcquirerAnswer {
    const answer = simulator.send(request)
    if (answer.status === 'approved') books.set(request.transactionId, answer.amountMinor)
    return answer
  }

  const remote: RemoteAcquirer = {
    requests,
    ended,
    books,
    isReachable: true,
    reply: undefined,
    nth: (position) =>
      new Promise((resolve) => {
        const one = requests[position]
        if (one) resolve(one)
        else waiting.push({ position, resolve })
      }),
    connector: {
      kind: 'remote',
      name: 'remote',
      send: (request) =>
        new Promise((resolve) => {
          const one: SentRequest = {
            request,
            answer: () => resolve(act(request)),
            doSilently: () => void act(request),
            silence: resolve,
          }
          requests.push(one)
          if (remote.reply === 'answer') one.answer()
          if (remote.reply === 'unknown') one.silence({ status: 'unknown' })
          for (const { position, resolve: deliver } of waiting) if (position === requests.length - 1) deliver(one)
        }),
      async reverse(request): Promise<ReversalOutcome> {
        ended.push(request)
        if (!remote.isReachable) return { kind: 'unknown' }
        if (request.operation === 'RV') {
          books.set(request.transactionId, request.amountMinor)
          const details = { ExtendedDescription: 'Reversed, as it was asked to before.' }
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
