import { postTransactions, sandboxIds } from '@tollgate/operations'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { otherMerchant } from '../../testing/other-merchant.ts'
import {
  cardPayment,
  type Parameters,
  type TestAnswer,
  testGateway,
  type TestGateway,
} from '../../testing/test-gateway.ts'
import { subscribe } from '../../testing/webhook-receiver.ts'

let tollgate: TestGateway
let chargebackHeaders: Parameters
beforeEach(async () => {
  tollgate = await testGateway()
  const { body } = await tollgate.manage('POST', '/tokens', { entityId: sandboxIds.merchant, rights: ['chargeback'] })
  chargebackHeaders = { authorization: `Bearer ${body.token}` }
})
afterEach(() => tollgate.close())

const pay = async (changes: Parameters = {}): Promise<string> =>
  (await tollgate.send('POST', '/v1/payments', cardPayment(changes))).body.id
const send = (id: string, paymentType: string, amount: string, changes: Parameters = {}): Promise<TestAnswer> => {
  tollgate.clock.nowMs += 1
  const form = { paymentType, amount, currency: 'EUR', ...changes }
  return tollgate.send('POST', `/v1/payments/${id}`, form, chargebackHeaders)
}
/** Records a follow-up. @returns its id */
const record = async (id: string, paymentType: string, amount = '92.00', changes: Parameters = {}): Promise<string> =>
  (await send(id, paymentType, amount, changes)).body.id
/** A payment of 92.00 EUR that is charged back. @returns its id */
async function disputed(changes: Parameters = {}): Promise<string> {
  const id = await pay()
  await record(id, 'CB', '92.00', changes)
  return id
}
const get = (path: string, accept?: string) => tollgate.manage('GET', path, undefined, undefined, accept)
const dispute = async (id: string) => (await get(`/disputes/${id}`)).body
const take = (id: string, step: string, note?: string): Promise<TestAnswer> =>
  tollgate.manage('POST', `/disputes/${id}/${step}`, note === undefined ? undefined : { note })
const upload = (id: string) =>
  tollgate.manage('POST', `/disputes/${id}/evidence?kind=receipt&name=receipt.pdf`, Buffer.from('%PDF-1.7'))
const eventsOf = ({ history }: { readonly history: readonly { readonly event: string }[] }) =>
  history.map(({ event }) => event)

describe('a dispute', () => {
  test('is opened by a chargeback, with its reason, amount, period and steps', async () => {
    const id = await pay()
    expect((await get(`/disputes/${id}`)).status).toBe(404)
    const chargeback = await record(id, 'CB', '92.00', { chargebackResultCode: '000.100.221' })
    expect(await dispute(id)).toEqual({
      id,
      merchantId: sandboxIds.merchant,
      channelId: sandboxIds.channel,
      paymentId: id,
      paymentType: 'DB',
      brand: 'VISA',
      network: 'VISA',
      flow: 'collaboration',
      state: 'answerNeeded',
      stage: 'chargeback',
      steps: ['submit', 'accept', 'win', 'lose'],
      reason: null,
      resultCode: '000.100.221',
      meaning: expect.stringMatching(/./),
      amount: '92.00',
      currency: 'EUR',
      receivedOn: '2026-05-04',
      dueOn: '2026-06-03',
      dueInDays: 30,
      isLiabilityShifted: false,
      wantedEvidence: ['proofOfDelivery', 'receipt', 'correspondence'],
      transactions: [
        {
          id: chargeback,
          referencedId: id,
          type: 'CB',
          resultCode: '000.100.221',
          amount: '92.00',
          createdAt: '2026-05-04T03:02:01.001Z',
        },
      ],
      history: [
        {
          event: 'chargeback',
          stage: 'chargeback',
          by: 'caller',
          transactionId: chargeback,
          at: '2026-05-04T03:02:01.001Z',
        },
      ],
      openedOn: '2026-05-04',
      changedAt: '2026-05-04T03:02:01.001Z',
    })
  })

  test('of a capture has the id of the capture', async () => {
    const capture = await record(await pay({ paymentType: 'PA' }), 'CP', '60.00')
    await record(capture, 'CB', '60.00')
    expect(await dispute(capture)).toMatchObject({ id: capture, paymentType: 'CP', amount: '60.00' })
  })

  test('is won by the reversal, and answered again after a second chargeback', async () => {
    const id = await pay()
    const reversal = await record(await record(id, 'CB'), 'CR')
    expect(await dispute(id)).toMatchObject({ stage: 'won', state: 'closed', steps: [], dueOn: null, dueInDays: null })
    await record(reversal, 'CB', '92.00', { chargebackResultCode: '000.100.220' })
    const again = await dispute(id)
    expect(again).toMatchObject({ stage: 'preArbitration', resultCode: '000.100.220', dueOn: '2026-06-03' })
    expect(eventsOf(again)).toEqual(['chargeback', 'reversal', 'secondChargeback'])
    expect(again.transactions.map(({ type }: { readonly type: string }) => type)).toEqual(['CB', 'CR', 'CB'])
  })

  test('keeps its stage and period after the reversal of a part', async () => {
    const id = await pay()
    const chargeback = await record(id, 'CB')
    tollgate.clock.nowMs += 86_400_000
    await record(chargeback, 'CR', '30.00')
    expect(await dispute(id)).toMatchObject({ stage: 'chargeback', amount: '62.00', dueOn: '2026-06-03' })
    await record(chargeback, 'CR', '62.00')
    expect(eventsOf(await dispute(id))).toEqual(['chargeback', 'partialReversal', 'reversal'])
  })

  test('is not opened by the return of a refund, or by a chargeback that is refused', async () => {
    const id = await pay()
    const refund = await record(id, 'RF')
    await record(refund, 'CB')
    expect((await send(id, 'CB', '92.00')).status).toBe(400)
    expect((await get('/disputes')).body.disputes).toEqual([])
  })

  test('exists once, however many chargebacks arrive at the same moment', async () => {
    const id = await pay()
    await Promise.all(Array.from({ length: 20 }, () => send(id, 'CB', '1.00')))
    expect((await get('/disputes')).body.disputes).toHaveLength(1)
    expect(eventsOf(await dispute(id))).toEqual(['chargeback'])
  })

  test('lies with the issuer if the cardholder was authenticated, for a fraud only', async () => {
    const proof = { 'threeDSecure.eci': '05', 'threeDSecure.verificationId': 'AAACAgSRBklmQCFgMpEGAAAAAAA=' }
    const shifted = async (chargebackResultCode: string) => {
      const id = await pay(proof)
      await record(id, 'CB', '92.00', { chargebackResultCode })
      return (await dispute(id)).isLiabilityShifted
    }
    expect([await shifted('000.100.220'), await shifted('000.100.221')]).toEqual([true, false])
  })
})

describe('an operator', () => {
  test('submits evidence, and records the decision, which reverses the chargeback', async () => {
    const id = await disputed()
    expect((await take(id, 'submit')).status).toBe(409)
    await upload(id)
    expect((await take(id, 'submit', 'sent by the portal')).body).toMatchObject({
      stage: 'representment',
      state: 'underReview',
      dueOn: null,
      steps: ['accept', 'win', 'lose'],
    })
    expect((await get(`/disputes/${id}/evidence`)).body.evidence[0].sentAt).toMatch(/^2026-05-04T/)
    const won = await take(id, 'win', 'letter of 4 May')
    expect(won.body).toMatchObject({ stage: 'won', history: [{}, { note: 'sent by the portal' }, {}] })
    expect(won.body.history[2]).toMatchObject({ event: 'reversal', by: 'operator', note: 'letter of 4 May' })
    const tree = await tollgate.gateway.storage.treeOf(id)
    const shown = tree?.transactions.map(({ type, amount_minor: amount }) => `${type} ${amount}`) ?? []
    expect(shown.toSorted()).toEqual(['CB 9200', 'CR 9200', 'DB 9200'])
    expect(tollgate.logged.filter(({ audit }) => audit === 'dispute changed')).toMatchObject([
      { dispute: id, step: 'submit', stage: 'representment' },
      { dispute: id, step: 'win', stage: 'won' },
    ])
  })

  test('wins what is left of a chargeback that is reversed in part', async () => {
    const id = await pay()
    const chargeback = await record(id, 'CB')
    await record(chargeback, 'CR', '30.00')
    expect((await take(id, 'win')).body).toMatchObject({ stage: 'won' })
    const tree = await tollgate.gateway.storage.treeOf(id)
    const amounts = tree?.transactions.map(({ amount_minor: amount }) => amount ?? 0)
    expect(amounts?.toSorted((a, b) => a - b)).toEqual([3000, 6200, 9200, 9200])
  })

  test.each([
    ['accept', 'accepted'],
    ['lose', 'lost'],
  ])('closes a dispute without a movement of money: %s', async (step, stage) => {
    const id = await disputed()
    expect((await take(id, step)).body).toMatchObject({ stage, state: 'closed', amount: '92.00' })
    expect((await tollgate.gateway.storage.treeOf(id))?.transactions).toHaveLength(2)
    expect((await take(id, 'win')).body.error.message).toMatch('does not permit')
  })

  test('wins a second chargeback without a reversal, which no message records', async () => {
    const id = await pay()
    await record(await record(await record(id, 'CB'), 'CR'), 'CB')
    expect((await take(id, 'escalate')).body.stage).toBe('arbitration')
    expect((await take(id, 'win')).body.stage).toBe('won')
    expect((await tollgate.gateway.storage.treeOf(id))?.transactions).toHaveLength(4)
  })

  test('takes only one of several steps at the same moment', async () => {
    const id = await disputed()
    const answers = await Promise.all(['accept', 'lose', 'accept', 'lose'].map((step) => take(id, step)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409])
    expect((await dispute(id)).history).toHaveLength(2)
  })

  test('opens a dispute by an inquiry, which a chargeback follows', async () => {
    const id = await pay()
    const inquiry = {
      transactionId: id,
      reason: '10.4',
      receivedOn: '2026-05-02',
      dueOn: '2026-05-20',
      note: 'by mail',
    }
    const opened = await tollgate.manage('POST', '/disputes', inquiry)
    expect(opened.status).toBe(201)
    expect(opened.body).toMatchObject({
      stage: 'inquiry',
      reason: '10.4',
      resultCode: '000.100.220',
      receivedOn: '2026-05-02',
      dueOn: '2026-05-20',
      transactions: [],
      history: [{ event: 'inquiry', by: 'operator', note: 'by mail' }],
    })
    expect((await tollgate.manage('POST', '/disputes', { transactionId: id })).status).toBe(409)
    await record(id, 'CB')
    const moved = await dispute(id)
    expect(moved).toMatchObject({ stage: 'chargeback', flow: 'allocation', reason: '10.4', dueOn: '2026-06-03' })
    await upload(id)
    expect((await take(id, 'submit')).body.stage).toBe('preArbitrationContested')
  })

  test('may open an inquiry at the moment of a chargeback: the chargeback is in the dispute', async () => {
    const id = await pay()
    await Promise.all([tollgate.manage('POST', '/disputes', { transactionId: id }), send(id, 'CB', '92.00')])
    const { stage, history } = await dispute(id)
    expect([stage, history.at(-1).event]).toEqual(['chargeback', 'chargeback'])
  })

  test.each([
    ['a preauthorisation', async () => pay({ paymentType: 'PA' }), 404],
    ['a declined payment', async () => pay({ amount: '88851.00' }), 404],
    ['no payment', async () => 'f'.repeat(32), 404],
    ['no id', async () => '-', 400],
  ])('cannot dispute %s', async (_name, idOf, status) => {
    const id = await idOf()
    expect((await tollgate.manage('POST', '/disputes', { transactionId: id })).status).toBe(status)
  })

  test.each([{ receivedOn: '2026-02-30' }, { dueOn: 'soon' }, { reason: '10 4' }, { note: '' }, { more: 1 }])(
    'cannot send %j',
    async (wrong) => {
      const { status } = await tollgate.manage('POST', '/disputes', { transactionId: await pay(), ...wrong })
      expect(status).toBe(400)
    },
  )

  test('needs the management key', async () => {
    const id = await disputed()
    for (const [method, path] of [
      ['GET', ''],
      ['GET', `/${id}`],
      ['POST', `/${id}/accept`],
      ['GET', `/${id}/evidence`],
    ] as const) {
      const { status } = await tollgate.manage(
        method,
        `/disputes${path}`,
        undefined,
        String(chargebackHeaders['authorization']),
      )
      expect(status).toBe(401)
    }
    expect((await dispute(id)).stage).toBe('chargeback')
  })
})

describe('the list', () => {
  const listed = async (query: string): Promise<string[]> =>
    (await get(`/disputes${query}`)).body.disputes.map(({ id }: { readonly id: string }) => id)

  test('has the newest first, and is filtered by state, stage, entity and day', async () => {
    const lost = await disputed()
    await take(lost, 'lose')
    const early = await pay()
    await tollgate.manage('POST', '/disputes', { transactionId: early, dueOn: '2026-05-10' })
    tollgate.clock.nowMs += 1
    const open = await disputed()
    expect(await listed('')).toEqual([open, early, lost])
    expect(await listed('?state=answerNeeded')).toEqual([open, early])
    expect(await listed('?state=closed')).toEqual([lost])
    expect(await listed('?stage=inquiry')).toEqual([early])
    expect(await listed(`?entityId=${sandboxIds.merchant}`)).toEqual([open, early, lost])
    expect(await listed('?dueBefore=2026-12-31')).toEqual([early, open])
    expect(await listed('?dueBefore=2026-05-10')).toEqual([early])
    const other = await otherMerchant(tollgate)
    expect(await listed(`?entityId=${other.merchant}`)).toEqual([])
  })

  test.each(['?state=open', '?dueBefore=2026-13-01', '?after=x', '?more=1', `?entityId=${'f'.repeat(32)}`])(
    'refuses %s',
    async (query) => {
      expect((await get(`/disputes${query}`)).status).toBeGreaterThanOrEqual(400)
    },
  )

  test('has pages, and as CSV a line for each dispute', async () => {
    const id = await disputed()
    const { storage, ids } = tollgate.gateway
    const row = await storage.dispute(id)
    if (!row) throw new Error('the dispute is not stored')
    // Disputes whose payments are archived are not listed, but they take their place in a page.
    const archived = Array.from({ length: 150 }, (_, index) => ({
      ...row,
      id: String(index).padStart(32, '0'),
      created_at_ms: row.created_at_ms + 1 + index,
    }))
    await storage.commit({ id: ids.ordered(), expectedVersions: [], rows: { dispute: archived } })
    const first = (await get('/disputes')).body
    expect([first.disputes, typeof first.next]).toEqual([[], 'string'])
    const second = (await get(`/disputes?after=${first.next}`)).body
    expect([second.disputes.map((each: { readonly id: string }) => each.id), second.next]).toEqual([[id], undefined])
    const { text, headers } = await get('/disputes?state=answerNeeded', 'text/csv')
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(text.trim().split('\n')).toEqual([
      'id;merchantId;channelId;paymentId;paymentType;brand;network;state;stage;reason;resultCode;meaning;amount;' +
        'currency;receivedOn;dueOn;dueInDays;isLiabilityShifted;openedOn',
      expect.stringMatching(new RegExp(`^${id};.*;answerNeeded;chargeback;;000.100.200;.*;92.00;EUR;2026-05-04;`)),
    ])
  })
})

test('webhooks receive chargebacks and reversals, also that of an operator', async () => {
  const id = await pay()
  const { receiver } = await subscribe(tollgate, { entityId: sandboxIds.channel })
  const reversal = await record(await record(id, 'CB'), 'CR')
  await record(reversal, 'CB')
  const other = await pay()
  await record(other, 'CB')
  await take(other, 'win')
  await tollgate.gateway.jobs.fastForward(tollgate.clock.nowMs)
  expect(receiver.received.map(({ json: { type, payload } }) => [type, payload.paymentType])).toEqual([
    ['PAYMENT', 'CB'],
    ['PAYMENT', 'CR'],
    ['PAYMENT', 'CB'],
    ['PAYMENT', 'DB'],
    ['PAYMENT', 'CB'],
    ['PAYMENT', 'CR'],
  ])
  await receiver.close()
})

test('a chargeback is taken from the merchant with the fee of its plan, which a reversal does not return', async () => {
  const fees = { fees: [{ kind: 'dispute', currency: 'EUR', prices: [{ fixed: '15.00' }] }] }
  await tollgate.manage('POST', `/entities/${sandboxIds.merchant}/fee-plans`, fees)
  const balances = async () => {
    tollgate.clock.nowMs += 10_000
    const task = postTransactions(tollgate.gateway)
    while ((await task.step()) === 'more');
    const { body } = await get(`/ledger/balances?entityId=${sandboxIds.merchant}`)
    return Object.fromEntries(
      body.balances.map((row: { readonly account: string; readonly debitsLessCredits: string }) => [
        row.account,
        row.debitsLessCredits,
      ]),
    )
  }
  const id = await pay()
  const chargeback = await record(id, 'CB')
  expect(await balances()).toEqual({
    acquirerReceivable: '0.00',
    merchantPending: '-92.00',
    merchantAvailable: '107.00',
    feeIncome: '-15.00',
  })
  const reversal = await record(chargeback, 'CR')
  const reversed = { acquirerReceivable: '92.00', merchantPending: '-92.00', merchantAvailable: '15.00' }
  expect(await balances()).toEqual({ ...reversed, feeIncome: '-15.00' })
  await record(reversal, 'CB')
  expect(await balances()).toMatchObject({ merchantAvailable: '122.00', feeIncome: '-30.00' })
})
