import type {
  AcquirerAccount,
  AcquirerAnswer,
  AcquirerRequest,
  AnswerToReverse,
  NoAnswer,
  OpenRequest,
  RemoteConnector,
  ReversalAttempt,
  ReversalOutcome,
} from '@tollgate/connectors'
import type { Secret } from '@tollgate/contract'
import { StorageError } from '@tollgate/storage'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cardPayment, summary } from '@tollgate/gateway/testing'
import { limits } from '../limits.ts'
import { twoProcesses } from '../testing/two-processes.ts'

const { storage, local, peer, pay, followUp, codeOf, reversalJobs, connectAcquirer, reverseTimeouts, close } =
  await twoProcesses()
afterAll(close)

type Reply = AcquirerAnswer | NoAnswer | AnswerToReverse

const explained = { ExtendedDescription: 'The answer of the acquirer.' }

const approval = (request: AcquirerRequest): AcquirerAnswer => ({
  status: 'approved',
  code: '000.100.110',
  amountMinor: request.amountMinor,
  details: { ...explained, ConnectorTxID1: 'R1', ConnectorTxID2: 'D1', AcquirerResponse: '00' },
})
const declined = {
  status: 'declined',
  code: '800.100.155',
  amountMinor: 0,
  details: { ...explained, AcquirerResponse: '10' },
} as const

/** An acquirer that knows payments by references, which are drawn from 1 and stored before a message is sent. */
function acquirerWithReferences() {
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
    reply: approval as (request: AcquirerRequest) => Reply | Promise<Reply>,
    reversal: (): ReversalOutcome | Promise<ReversalOutcome> => ({ kind: 'reversed' }),
    /** Called before the reply, while the message is on its way. */
    onMessage: async (): Promise<void> => undefined,
  }
  const connector: RemoteConnector = {
    kind: 'remote',
    name: 'with references',
    needsAccountLater: true,
    references: async () => (acquirer.hasReferences ? `{"n":${++drawn}}` : undefined),
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
  for (const { gateway } of [local, peer]) Object.assign(gateway.acquirers, { simulator: connector })
  return acquirer
}

const numberOf = (account: AcquirerAccount | undefined): string | undefined =>
  account?.number?.use((bytes) => Buffer.from(bytes).toString())

const isErased = (account: AcquirerAccount | undefined): boolean =>
  [account?.number, account?.cvv].every((secret) => secret?.use((bytes) => bytes.every((byte) => byte === 0)) ?? true)

const NUMBER = '4200000000000000'

let { time } = connectAcquirer()
let acquirer = acquirerWithReferences()
beforeEach(() => {
  time = connectAcquirer().time
  acquirer = acquirerWithReferences()
})

const commit = storage.commit.bind(storage)
afterEach(async () => {
  Object.assign(storage, { commit })
  // The acquirer acknowledges the reversals that the test has left.
  Object.assign(acquirer, { hasReferences: true, reversal: () => ({ kind: 'reversed' }) })
  await reverseTimeouts(limits.timeoutReversalAfterMs + limits.timeoutReversalWaitsMs[3])
})

const unknown = () => ({ status: 'unknown' }) as const
const notSent = () => ({ status: 'notSent', reason: 'refused' }) as const
const noReversal = () => ({ kind: 'unknown' }) as const

const attemptsOf = async (id: string) =>
  (await storage.acquirerAttempts(id)).map(({ kind, sent_as: sentAs, outcome }) => [kind, sentAs, outcome])

describe('the attempt of a request', () => {
  test('is committed with the transaction before the request is sent', async () => {
    const events: string[] = []
    Object.assign(storage, {
      commit: async (unit: Parameters<typeof commit>[0]) => {
        const result = await commit(unit)
        if (unit.rows.acquirer_attempt) events.push(`committed ${result.kind}`)
        return result
      },
    })
    let stored: unknown
    acquirer.onMessage = async () => {
      events.push('sent')
      const { transactionId } = acquirer.sent[0]?.request ?? expect.fail('nothing was sent')
      stored = await storage.acquirerAttempts(transactionId)
    }
    const { body } = await pay()
    expect(events).toEqual(['committed committed', 'sent'])
    expect(acquirer.sent[0]?.sentAs).toBe('{"n":1}')
    expect(stored).toMatchObject([
      {
        transaction_id: body.id,
        merchant: (await storage.transactions([body.id]))[0]?.merchant,
        kind: 'request',
        connector: 'simulator',
        sent_as: '{"n":1}',
        outcome: null,
      },
    ])
  })

  test.each([
    ['the response code of an approval', approval, '00'],
    ['the response code of a decline', () => declined, '10'],
    ['the result code of an answer without response code', () => ({ ...declined, details: explained }), '800.100.155'],
    ['the result code of a request that was not sent', notSent, '900.100.600'],
    ['the result code of a reversed request', unknown, '900.100.301'],
  ] as const)('has as its outcome %s', async (_, reply, outcome) => {
    acquirer.reply = reply
    const { id } = (await pay()).body
    expect((await attemptsOf(id))[0]).toEqual(['request', '{"n":1}', outcome])
  })

  test('has no outcome while none is known', async () => {
    acquirer.reply = unknown
    acquirer.reversal = noReversal
    const { id } = (await pay()).body
    expect((await attemptsOf(id))[0]).toEqual(['request', '{"n":1}', null])
  })

  test('does not exist if no references are free: the request is not sent', async () => {
    acquirer.hasReferences = false
    const answer = await pay()
    expect(summary(answer)).toEqual([400, '900.100.600'])
    expect([await attemptsOf(answer.body.id), acquirer.sent, await reversalJobs()]).toEqual([[], [], []])
  })

  test('does not exist for a verification of a card, which holds no amount and is not reversed', async () => {
    acquirer.reply = unknown
    const verification = cardPayment({ paymentType: undefined, amount: '0.00' })
    expect(summary(await local.send('POST', '/v1/registrations', verification))).toEqual([400, '900.100.301'])
    const [message] = acquirer.sent
    expect(message?.sentAs).toBe('{"n":1}')
    expect(await attemptsOf(message?.request.transactionId ?? '')).toEqual([])
    expect(acquirer.reversed).toEqual([])
  })
})

describe('the attempt of a reversal', () => {
  test('is stored before the reversal is sent, and is used by all later runs of the job', async () => {
    acquirer.reply = unknown
    acquirer.reversal = noReversal
    const stored: unknown[] = []
    acquirer.onMessage = async () => {
      const { transactionId } = acquirer.sent[0]?.request ?? expect.fail('nothing was sent')
      stored.push((await attemptsOf(transactionId)).map(([kind, sentAs]) => `${kind} ${sentAs}`))
    }
    const { id } = (await pay()).body
    expect(await codeOf(id)).toBe('900.100.300')
    await reverseTimeouts(0)
    acquirer.reversal = () => ({ kind: 'reversed' })
    expect(await reverseTimeouts(limits.timeoutReversalWaitsMs[0])).toEqual(['900.100.301'])
    const references = { sentAs: '{"n":1}', reversalSentAs: '{"n":2}' }
    expect(acquirer.reversed.map(({ attempt }) => attempt)).toEqual([
      { ...references, isRepeat: false },
      { ...references, isRepeat: true },
      { ...references, isRepeat: true },
    ])
    const both = ['request {"n":1}', 'reversal {"n":2}']
    expect(stored).toEqual([['request {"n":1}'], both, both, both])
    expect(await codeOf(id)).toBe('900.100.301')
  })

  test('refers to the stored references if the process of the request stops', async () => {
    acquirer.reply = () => new Promise<Reply>(() => undefined)
    const abandoned = pay()
    await expect.poll(() => acquirer.sent.length).toBe(1)
    expect(await reverseTimeouts(limits.timeoutReversalAfterMs)).toEqual(['900.100.301'])
    const id = acquirer.sent[0]?.request.transactionId ?? ''
    expect(acquirer.reversed).toMatchObject([
      {
        request: { transactionId: id, operation: 'DB', amountMinor: 9200, currency: 'EUR' },
        attempt: { sentAs: '{"n":1}', reversalSentAs: '{"n":2}', isRepeat: false },
      },
    ])
    await time.pass()
    await abandoned
  })

  test('is missing while no references are free for it: the reversal is sent later', async () => {
    acquirer.reply = unknown
    acquirer.onMessage = async () => void (acquirer.hasReferences = false)
    acquirer.reversal = noReversal
    const { id } = (await pay()).body
    expect(acquirer.reversed.map(({ attempt }) => attempt)).toEqual([undefined])
    expect(await codeOf(id)).toBe('900.100.300')
    acquirer.hasReferences = true
    acquirer.reversal = () => ({ kind: 'reversed' })
    expect(await reverseTimeouts(0)).toEqual(['900.100.301'])
    expect(acquirer.reversed[1]?.attempt).toMatchObject({ sentAs: '{"n":1}', isRepeat: false })
  })

  test('is not needed if the process stopped before it had references: nothing was sent', async () => {
    acquirer.hasReferences = false
    let commits = 0
    let id = ''
    Object.assign(storage, {
      commit: async (unit: Parameters<typeof commit>[0]) => {
        commits += 1
        id ||= unit.id
        if (commits > 1) throw new StorageError('unknown', 'the process was killed')
        return commit(unit)
      },
    })
    expect(summary(await pay())).toEqual([400, '900.100.300'])
    Object.assign(storage, { commit })
    expect(await reverseTimeouts(limits.timeoutReversalAfterMs)).toEqual(['900.100.301'])
    expect([acquirer.reversed, await codeOf(id)]).toEqual([[], '900.100.301'])
  })
})

describe('an answer that the gateway does not accept', () => {
  const toReverse = () => ({ status: 'toReverse', answer: declined }) as const

  test('is the result once its reversal is acknowledged', async () => {
    acquirer.reply = toReverse
    const answer = await pay()
    expect(summary(answer)).toEqual([400, '800.100.155'])
    expect(acquirer.reversed.map(({ attempt }) => attempt?.isRepeat)).toEqual([false])
    expect(await attemptsOf(answer.body.id)).toEqual([
      ['request', '{"n":1}', '10'],
      ['reversal', '{"n":2}', null],
    ])
    expect(await reversalJobs()).toEqual([])
  })

  test('has an unknown outcome until then', async () => {
    acquirer.reply = toReverse
    acquirer.reversal = noReversal
    const answer = await pay()
    expect(summary(answer)).toEqual([400, '900.100.300'])
    acquirer.reversal = () => ({ kind: 'reversed' })
    expect(await reverseTimeouts(0)).toEqual(['900.100.301'])
    expect(await codeOf(answer.body.id)).toBe('900.100.301')
  })

  test('is reversed again if it arrives after the timeout', async () => {
    let answerLate: (reply: Reply) => void = () => expect.fail('nothing was sent')
    acquirer.reply = () => new Promise<Reply>((resolve) => (answerLate = resolve))
    const answer = pay()
    await expect.poll(() => acquirer.sent.length).toBe(1)
    await time.pass()
    expect(summary(await answer)).toEqual([400, '900.100.301'])
    answerLate(toReverse())
    await expect.poll(reversalJobs).toHaveLength(1)
    await reverseTimeouts(limits.timeoutReversalAfterMs)
    expect(acquirer.reversed.map(({ attempt }) => attempt?.isRepeat)).toEqual([false, true])
  })
})

describe('the number that the vault lends', () => {
  /** An approved preauthorisation; the accounts of later messages are lent. */
  async function preauthorised(): Promise<string> {
    const { id } = (await pay({ paymentType: 'PA' })).body
    acquirer.accounts.length = 0
    return id
  }

  test.each([
    ['an approval', approval],
    ['a decline', () => declined],
    ['no answer', unknown],
    ['a request that was not sent', notSent],
    ['a failure of the connector', () => Promise.reject(new Error('the connector failed'))],
  ] as const)('for a capture is in its messages, and erased after %s', async (_, reply) => {
    const id = await preauthorised()
    acquirer.reply = reply
    const numbers: unknown[] = []
    acquirer.onMessage = async () => void numbers.push(numberOf(acquirer.accounts.at(-1)))
    await followUp(id, 'CP', '10.00')
    expect(numbers.length).toBeGreaterThan(0)
    expect(new Set(numbers)).toEqual(new Set([NUMBER]))
    expect(acquirer.accounts.every(isErased)).toBe(true)
    expect(acquirer.accounts.map((account) => account?.cvv)).toEqual(numbers.map(() => undefined))
  })

  /** Records the numbers that the vault of a process decrypts. */
  function recordLent({ gateway }: typeof local) {
    const lent: Secret[] = []
    const { vault } = gateway
    const unseal: typeof vault.unseal = (...record) => {
      const number = vault.unseal(...record)
      lent.push(number)
      return number
    }
    Object.assign(gateway, { vault: { ...vault, unseal } })
    return { lent, restore: () => void Object.assign(gateway, { vault }) }
  }

  const areErased = (numbers: readonly Secret[]): readonly boolean[] =>
    numbers.map((number) => number.use((bytes) => bytes.every((byte) => byte === 0)))

  test.each([
    [
      'the references cannot be drawn',
      500,
      () => {
        const references = () => Promise.reject(new Error('no references'))
        const simulator = { ...local.gateway.acquirers.simulator, references }
        Object.assign(local.gateway.acquirers, { simulator })
      },
    ],
    [
      'the capture cannot be stored',
      503,
      () => {
        Object.assign(storage, { commit: () => Promise.reject(new StorageError('full', 'no space left')) })
      },
    ],
  ])('for a capture is erased if %s (HTTP status %i)', async (_, status, fail) => {
    const id = await preauthorised()
    const { lent, restore } = recordLent(local)
    fail()
    expect((await followUp(id, 'CP', '10.00')).status).toBe(status)
    restore()
    expect([areErased(lent), acquirer.accounts]).toEqual([[true], []])
  })

  test.each([
    ['is acknowledged', () => ({ kind: 'reversed' }) as const],
    ['has no answer', noReversal],
    ['fails', () => Promise.reject(new Error('the connector failed'))],
  ] as const)('for a reversal is in its message, and erased after the reversal %s', async (_, reversal) => {
    acquirer.reply = unknown
    acquirer.reversal = noReversal
    await pay()
    const { lent, restore } = recordLent(peer)
    acquirer.reversal = reversal
    await reverseTimeouts(0)
    restore()
    expect(acquirer.reversed.map(({ number }) => number)).toEqual([NUMBER, NUMBER])
    expect(areErased(lent)).toEqual([true])
  })
})

test('each reversal in part refers to the amount that the earlier ones have left', async () => {
  const { id } = (await pay({ paymentType: 'PA' })).body
  // A reversed capture leaves the amount of the hold unchanged.
  const { id: capture } = (await followUp(id, 'CP', '10.00')).body
  expect(summary(await followUp(capture, 'RV'))).toEqual([200, '000.100.110'])
  for (const amount of ['20.00', '30.00'])
    expect(summary(await followUp(id, 'RV', amount))).toEqual([200, '000.100.110'])
  acquirer.reply = () => declined
  await followUp(id, 'RV', '1.00')
  acquirer.reply = unknown
  acquirer.reversal = noReversal
  await followUp(id, 'RV')
  const [, , , ...reversals] = acquirer.sent.map(({ request }) => [request.amountMinor, request.original?.amountMinor])
  const last = [4200, 4200]
  expect(reversals).toEqual([[2000, 9200], [3000, 7200], [100, 4200], last])
  acquirer.reversal = () => ({
    kind: 'done',
    answer: { ...declined, status: 'approved', code: '000.100.110', amountMinor: 4200 },
  })
  expect(await reverseTimeouts(0)).toEqual(['000.100.110'])
  expect(acquirer.reversed.map(({ request }) => [request.amountMinor, request.original?.amountMinor])).toEqual([
    last,
    last,
  ])
})
