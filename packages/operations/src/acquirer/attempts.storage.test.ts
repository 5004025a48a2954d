import { StorageError } from '@tollgate/storage'
import { describe, expect, test } from 'vitest'
import { cardPayment, summary } from '@tollgate/gateway/testing'
import { limits } from '../limits.ts'
import {
  acquirerWithReferences,
  approval,
  declined,
  explained,
  noReversal,
  notSent,
  type Reply,
  unknown,
} from '../testing/acquirer-with-references.ts'

const scene = await acquirerWithReferences()
const { storage, local, pay, followUp, codeOf, reversalJobs, reverseTimeouts } = scene

const attemptsOf = async (id: string) =>
  (await storage.acquirerAttempts(id)).map(({ kind, sent_as: sentAs, outcome }) => [kind, sentAs, outcome])

describe('the attempt of a request', () => {
  test('is committed with the transaction before the request is sent', async () => {
    const events: string[] = []
    Object.assign(storage, {
      commit: async (unit: Parameters<typeof scene.commit>[0]) => {
        const result = await scene.commit(unit)
        if (unit.rows.acquirer_attempt) events.push(`committed ${result.kind}`)
        return result
      },
    })
    let stored: unknown
    scene.acquirer.onMessage = async () => {
      events.push('sent')
      const { transactionId } = scene.acquirer.sent[0]?.request ?? expect.fail('nothing was sent')
      stored = await storage.acquirerAttempts(transactionId)
    }
    const { body } = await pay()
    expect(events).toEqual(['committed committed', 'sent'])
    expect(scene.acquirer.sent[0]?.sentAs).toBe('{"n":1}')
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
    scene.acquirer.reply = reply
    const { id } = (await pay()).body
    expect((await attemptsOf(id))[0]).toEqual(['request', '{"n":1}', outcome])
  })

  test('has no outcome while none is known', async () => {
    scene.acquirer.reply = unknown
    scene.acquirer.reversal = noReversal
    const { id } = (await pay()).body
    expect((await attemptsOf(id))[0]).toEqual(['request', '{"n":1}', null])
  })

  test('does not exist if no references are free: the request is not sent', async () => {
    scene.acquirer.hasReferences = false
    const answer = await pay()
    expect(summary(answer)).toEqual([400, '900.100.600'])
    expect([await attemptsOf(answer.body.id), scene.acquirer.sent, await reversalJobs()]).toEqual([[], [], []])
  })

  test('is of another kind for a verification of a card, which holds no amount and is not reversed', async () => {
    scene.acquirer.reply = unknown
    const verification = cardPayment({ paymentType: undefined, amount: '0.00' })
    expect(summary(await local.send('POST', '/v1/registrations', verification))).toEqual([400, '900.100.301'])
    const [message] = scene.acquirer.sent
    expect(message?.sentAs).toBe('{"n":1}')
    expect(await attemptsOf(message?.request.transactionId ?? '')).toEqual([['verification', '{"n":1}', '900.100.301']])
    expect(scene.acquirer.reversed).toEqual([])
  })
})

describe('the attempt of a reversal', () => {
  test('is stored before the reversal is sent, and is used by all later runs of the job', async () => {
    scene.acquirer.reply = unknown
    scene.acquirer.reversal = noReversal
    const stored: unknown[] = []
    scene.acquirer.onMessage = async () => {
      const { transactionId } = scene.acquirer.sent[0]?.request ?? expect.fail('nothing was sent')
      stored.push((await attemptsOf(transactionId)).map(([kind, sentAs]) => `${kind} ${sentAs}`))
    }
    const { id } = (await pay()).body
    expect(await codeOf(id)).toBe('900.100.300')
    await reverseTimeouts(0)
    scene.acquirer.reversal = () => ({ kind: 'reversed' })
    expect(await reverseTimeouts(limits.timeoutReversalWaitsMs[0])).toEqual(['900.100.301'])
    const references = { sentAs: '{"n":1}', reversalSentAs: '{"n":2}' }
    expect(scene.acquirer.reversed.map(({ attempt }) => attempt)).toEqual([
      { ...references, isRepeat: false },
      { ...references, isRepeat: true },
      { ...references, isRepeat: true },
    ])
    const both = ['request {"n":1}', 'reversal {"n":2}']
    expect(stored).toEqual([['request {"n":1}'], both, both, both])
    expect(await codeOf(id)).toBe('900.100.301')
  })

  test('refers to the stored references if the process of the request stops', async () => {
    scene.acquirer.reply = () => new Promise<Reply>(() => undefined)
    const abandoned = pay()
    await expect.poll(() => scene.acquirer.sent.length).toBe(1)
    expect(await reverseTimeouts(limits.timeoutReversalAfterMs)).toEqual(['900.100.301'])
    const id = scene.acquirer.sent[0]?.request.transactionId ?? ''
    expect(scene.acquirer.reversed).toMatchObject([
      {
        request: { transactionId: id, operation: 'DB', amountMinor: 9200, currency: 'EUR' },
        attempt: { sentAs: '{"n":1}', reversalSentAs: '{"n":2}', isRepeat: false },
      },
    ])
    await scene.time.pass()
    await abandoned
  })

  test('is missing while no references are free for it: the reversal is sent later', async () => {
    scene.acquirer.reply = unknown
    scene.acquirer.onMessage = async () => void (scene.acquirer.hasReferences = false)
    scene.acquirer.reversal = noReversal
    const { id } = (await pay()).body
    expect(scene.acquirer.reversed.map(({ attempt }) => attempt)).toEqual([undefined])
    expect(await codeOf(id)).toBe('900.100.300')
    scene.acquirer.hasReferences = true
    scene.acquirer.reversal = () => ({ kind: 'reversed' })
    expect(await reverseTimeouts(0)).toEqual(['900.100.301'])
    expect(scene.acquirer.reversed[1]?.attempt).toMatchObject({ sentAs: '{"n":1}', isRepeat: false })
  })

  test('is not needed if the process stopped before it had references: nothing was sent', async () => {
    scene.acquirer.hasReferences = false
    let commits = 0
    let id = ''
    Object.assign(storage, {
      commit: async (unit: Parameters<typeof scene.commit>[0]) => {
        commits += 1
        id ||= unit.id
        if (commits > 1) throw new StorageError('unknown', 'the process was killed')
        return scene.commit(unit)
      },
    })
    expect(summary(await pay())).toEqual([400, '900.100.300'])
    Object.assign(storage, { commit: scene.commit })
    expect(await reverseTimeouts(limits.timeoutReversalAfterMs)).toEqual(['900.100.301'])
    expect([scene.acquirer.reversed, await codeOf(id)]).toEqual([[], '900.100.301'])
  })
})

describe('the outcome of the job', () => {
  test('is stored with the request and with the reversal', async () => {
    scene.acquirer.reply = unknown
    scene.acquirer.reversal = noReversal
    const { id } = (await pay()).body
    expect(scene.acquirer.reasons).toEqual([{ sentAs: '{"n":1}', reason: 'noAnswer' }])
    scene.acquirer.reversal = () => ({ kind: 'reversed', response: '25' })
    expect(await reverseTimeouts(0)).toEqual(['900.100.301'])
    expect(await attemptsOf(id)).toEqual([
      ['request', '{"n":1}', '900.100.301'],
      ['reversal', '{"n":2}', '25'],
    ])
  })

  test('is that of the repeated message, also in both attempts', async () => {
    const { id } = (await pay({ paymentType: 'PA' })).body
    scene.acquirer.reply = unknown
    scene.acquirer.reversal = noReversal
    const capture = (await followUp(id, 'CP', '10.00')).body.id
    scene.acquirer.reversal = () => ({ kind: 'done', answer: { ...declined, details: { AcquirerResponse: '64' } } })
    expect(await reverseTimeouts(0)).toEqual(['800.100.155'])
    expect((await attemptsOf(capture)).map(([kind, , outcome]) => [kind, outcome])).toEqual([
      ['request', '64'],
      ['reversal', '64'],
    ])
  })
})

test('each reversal in part refers to the amount that the earlier ones have left', async () => {
  const { id } = (await pay({ paymentType: 'PA' })).body
  // A reversed capture leaves the amount of the hold unchanged.
  const { id: capture } = (await followUp(id, 'CP', '10.00')).body
  expect(summary(await followUp(capture, 'RV'))).toEqual([200, '000.100.110'])
  for (const amount of ['20.00', '30.00'])
    expect(summary(await followUp(id, 'RV', amount))).toEqual([200, '000.100.110'])
  scene.acquirer.reply = () => declined
  await followUp(id, 'RV', '1.00')
  scene.acquirer.reply = unknown
  scene.acquirer.reversal = noReversal
  await followUp(id, 'RV')
  const [, , , ...reversals] = scene.acquirer.sent.map(({ request }) => [
    request.amountMinor,
    request.original?.amountMinor,
  ])
  const last = [4200, 4200]
  expect(reversals).toEqual([[2000, 9200], [3000, 7200], [100, 4200], last])
  scene.acquirer.reversal = () => ({
    kind: 'done',
    answer: { ...declined, status: 'approved', code: '000.100.110', amountMinor: 4200 },
  })
  expect(await reverseTimeouts(0)).toEqual(['000.100.110'])
  expect(scene.acquirer.reversed.map(({ request }) => [request.amountMinor, request.original?.amountMinor])).toEqual([
    last,
    last,
  ])
})
