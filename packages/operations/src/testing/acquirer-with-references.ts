import type {
  AcquirerAccount,
  AcquirerAnswer,
  AcquirerRequest,
  AnswerToReverse,
  NoAnswer,
  OpenRequest,
  RejectedMessage,
  RemoteConnector,
  ReversalAttempt,
  ReversalOutcome,
} from '@tollgate/connectors'
import { afterAll, afterEach, beforeEach } from 'vitest'
import { limits } from '../limits.ts'
import { twoProcesses } from './two-processes.ts'

export type Reply = AcquirerAnswer | NoAnswer | AnswerToReverse | RejectedMessage

export const explained = { ExtendedDescription: 'The answer of the acquirer.' }

export const approval = (request: AcquirerRequest): AcquirerAnswer => ({
  status: 'approved',
  code: '000.100.110',
  amountMinor: request.amountMinor,
  details: { ...explained, ConnectorTxID1: 'R1', ConnectorTxID2: 'D1', AcquirerResponse: '00' },
})

export const declined = {
  status: 'declined',
  code: '800.100.155',
  amountMinor: 0,
  details: { ...explained, AcquirerResponse: '10' },
} as const

export const unknown = () => ({ status: 'unknown' }) as const
export const notSent = () => ({ status: 'notSent', reason: 'refused' }) as const
export const noReversal = () => ({ kind: 'unknown' }) as const

export const numberOf = (account: AcquirerAccount | undefined): string | undefined =>
  account?.number?.use((bytes) => Buffer.from(bytes).toString())

/** An acquirer that knows payments by references, which are drawn from 1 and stored before a message is sent. */
function createAcquirer() {
  const sent: { readonly request: AcquirerRequest; readonly sentAs: string | undefined }[] = []
  const reversed: {
    readonly request: OpenRequest
    readonly attempt: ReversalAttempt | undefined
    readonly number: string | undefined
  }[] = []
  const accounts: (AcquirerAccount | undefined)[] = []
  let drawn = 0
  const acquirer = {
    sent,
    reversed,
    /** The accounts of all messages, as the gateway lent them. */
    accounts,
    hasReferences: true,
    /** The reversals whose references were drawn: the references of the reversed message, and the reason. */
    reasons: [] as unknown[],
    reply: approval as (request: AcquirerRequest) => Reply | Promise<Reply>,
    reversal: (): ReversalOutcome | Promise<ReversalOutcome> => ({ kind: 'reversed' }),
    /** Called before the reply, while the message is on its way. */
    onMessage: async (): Promise<void> => undefined,
  }
  const connector: RemoteConnector = {
    kind: 'remote',
    name: 'with references',
    needsAccountLater: true,
    async references(_, reversal) {
      if (reversal) acquirer.reasons.push(reversal)
      return acquirer.hasReferences ? `{"n":${++drawn}}` : undefined
    },
    async send(request, sentAs) {
      if (sentAs === undefined) return { status: 'notSent', reason: 'no reference is free' }
      sent.push({ request, sentAs })
      accounts.push(request.account)
      await acquirer.onMessage()
      return acquirer.reply(request)
    },
    async reverse(request, attempt, account) {
      reversed.push({ request, attempt, number: numberOf(account) })
      accounts.push(account)
      await acquirer.onMessage()
      return acquirer.reversal()
    },
  }
  return { acquirer, connector }
}

/** Two processes whose payments are sent to an acquirer with references: a new one for each test. */
export async function acquirerWithReferences() {
  const processes = await twoProcesses()
  const { storage, local, peer, connectAcquirer, reverseTimeouts } = processes
  const commit = storage.commit.bind(storage)

  function connectNew() {
    const { time } = connectAcquirer()
    const { acquirer, connector } = createAcquirer()
    for (const { gateway } of [local, peer]) Object.assign(gateway.acquirers, { simulator: connector })
    return { time, acquirer }
  }

  const test = { ...processes, ...connectNew(), commit }
  beforeEach(() => void Object.assign(test, connectNew()))
  afterEach(async () => {
    Object.assign(storage, { commit })
    // The acquirer acknowledges the reversals that the test has left.
    Object.assign(test.acquirer, { hasReferences: true, reversal: () => ({ kind: 'reversed' }) })
    await reverseTimeouts(limits.timeoutReversalAfterMs + limits.timeoutReversalWaitsMs[3])
  })
  afterAll(processes.close)
  return test
}
