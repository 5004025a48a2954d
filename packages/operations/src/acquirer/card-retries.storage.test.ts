import type { AcquirerAnswer, AcquirerRequest, RemoteConnector } from '@tollgate/connectors'
import { DAY_MS, HOUR_MS, type MerchantAdviceCode } from '@tollgate/contract'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  cardPayment,
  cardWithoutPayment,
  otherMerchant,
  type Parameters,
  summary,
  testGateway,
  type TestGateway,
} from '@tollgate/gateway/testing'
import { eraseCardDeclines } from '../retention/erase-old-rows.task.ts'

const approval = ({ amountMinor }: AcquirerRequest): AcquirerAnswer => ({
  status: 'approved',
  code: '000.100.112',
  amountMinor,
  details: { ExtendedDescription: 'Approved.', ConnectorTxID1: 'R1', AcquirerResponse: '00' },
})

/** A decline for lack of funds. */
const decline =
  (advice?: MerchantAdviceCode, changes: Partial<AcquirerAnswer> = {}) =>
  (): AcquirerAnswer => ({
    status: 'declined',
    code: '800.100.155',
    amountMinor: 0,
    details: { ExtendedDescription: 'Declined.', AcquirerResponse: '51' },
    issuerDecline: { response: '51', advice },
    ...changes,
  })

let tollgate: TestGateway
let reply: (request: AcquirerRequest) => AcquirerAnswer
let received: string[]

beforeEach(async () => {
  reply = approval
  received = []
  const external: RemoteConnector = {
    kind: 'remote',
    name: 'external',
    references: async () => '{}',
    async send(request) {
      received.push(request.operation)
      return reply(request)
    },
    reverse: async () => ({ kind: 'reversed' }),
  }
  tollgate = await testGateway({ external: () => external })
})
afterEach(() => tollgate.close())

const pay = (changes: Parameters = {}) =>
  tollgate.send('POST', '/v1/payments', cardPayment({ testMode: 'EXTERNAL', ...changes }))

async function codesAfter(advice: MerchantAdviceCode, ...changes: readonly Parameters[]): Promise<readonly string[]> {
  reply = decline(advice)
  await pay()
  reply = approval
  const codes: string[] = []
  for (const change of changes) codes.push(summary(await pay(change))[1])
  return codes
}

describe('an attempt against the advice of the issuer', () => {
  test('is declined with its code, stored, and not sent', async () => {
    reply = decline('24')
    expect(summary(await pay())).toEqual([400, '800.100.155'])
    reply = approval
    const refused = await pay()
    expect(summary(refused)).toEqual([400, '700.600.024'])
    expect(refused.body.resultDetails.ExtendedDescription).toBe(
      'Not sent: the issuer of the card advised: Retry after 1 hour.',
    )
    const { storage } = tollgate.gateway
    expect([received, await storage.acquirerAttempts(refused.body.id)]).toEqual([['DB'], []])
    expect((await tollgate.send('GET', `/v1/payments/${refused.body.id}`)).body.result.code).toBe('700.600.024')
    tollgate.clock.nowMs += HOUR_MS
    expect(summary(await pay())).toEqual([200, '000.100.112'])
  })

  test('is sent with another card, another merchant or the simulator', async () => {
    const merchant = await otherMerchant(tollgate)
    const headers = { authorization: `Bearer ${merchant.token}` }
    expect(await codesAfter('03', {}, { 'card.number': '4200000000000026' })).toEqual(['700.601.003', '000.100.112'])
    const elsewhere = cardPayment({ testMode: 'EXTERNAL', entityId: merchant.channel })
    expect(summary(await tollgate.send('POST', '/v1/payments', elsewhere, headers))).toEqual([200, '000.100.112'])
    expect(summary(await pay({ testMode: 'INTERNAL' }))).toEqual([200, '000.100.110'])
  })

  test('is sent with new data of the card, or a proof of its holder, if the advice asks for them', async () => {
    const proof = { 'threeDSecure.eci': '05', 'threeDSecure.verificationId': 'AAACAgSRBklmQCFgMpEGAAAAAAA=' }
    expect(await codesAfter('01', {}, { 'card.expiryYear': '2036' }, proof)).toEqual([
      '700.601.001',
      '000.100.112',
      '000.100.112',
    ])
  })

  test('is sent again with another cvv after a wrong one', async () => {
    reply = decline('01', { cvv: 'N' })
    await pay()
    reply = approval
    expect(summary(await pay({ 'card.cvv': undefined }))[1]).toBe('700.601.001')
    expect(summary(await pay({ 'card.cvv': '321' }))[1]).toBe('000.100.112')
  })

  test('is a payout, a refund or a capture: none of them is an authorisation', async () => {
    const preauthorised = await pay({ paymentType: 'PA' })
    expect(await codesAfter('03', { paymentType: 'CD' })).toEqual(['000.100.112'])
    const capture = { paymentType: 'CP', amount: '92.00', currency: 'EUR' }
    const captured = await tollgate.send('POST', `/v1/payments/${preauthorised.body.id}`, capture)
    expect(summary(captured)).toEqual([200, '000.100.112'])
  })

  test('by the merchant is refused after the end of an agreement, and one of the cardholder is sent', async () => {
    const { body } = await pay()
    const rebill = { paymentType: 'RB', amount: '92.00', currency: 'EUR' }
    expect(await codesAfter('21', {})).toEqual(['000.100.112'])
    expect(summary(await tollgate.send('POST', `/v1/payments/${body.id}`, rebill))).toEqual([400, '700.601.021'])
  })

  test('is a verification of the account, whose decline counts, too', async () => {
    const register = () =>
      tollgate.send(
        'POST',
        '/v1/registrations',
        cardWithoutPayment({ testMode: 'EXTERNAL', amount: '0.00', currency: 'EUR' }),
      )
    reply = decline('25')
    expect(summary(await register())).toEqual([400, '800.100.155'])
    reply = approval
    expect(summary(await register())).toEqual([400, '700.600.025'])
    expect(received).toEqual(['PA'])
  })
})

describe('retries', () => {
  test('are at most fifteen of a Visa card within 30 days', async () => {
    reply = decline()
    for (let attempt = 0; attempt < 16; attempt += 1) expect(summary(await pay())[1]).toBe('800.100.155')
    const refused = await pay()
    expect(summary(refused)[1]).toBe('700.600.030')
    expect(refused.body.resultDetails.ExtendedDescription).toBe(
      'Not sent: the card was declined 16 times within 30 days, and its network permits 15 retries.',
    )
    expect(received.length).toBe(16)
    tollgate.clock.nowMs += 30 * DAY_MS
    expect(summary(await pay())[1]).toBe('800.100.155')
  })

  test('that are declined concurrently are all counted', async () => {
    reply = decline()
    await Promise.all(Array.from({ length: 16 }, () => pay()))
    expect(summary(await pay())[1]).toMatch(/^700\.600\./)
  })
})

/** The ids by which rows of declined cards were read. */
function readsOfDeclines(): string[] {
  const { storage } = tollgate.gateway
  const ids: string[] = []
  const read = storage.cardDeclines.bind(storage)
  Object.assign(storage, { cardDeclines: (id: string) => (ids.push(id), read(id)) })
  return ids
}

describe('stored declines', () => {
  test('are neither read nor written for a card without declines, once the process knows all rows', async () => {
    const { declinedCards, storage } = tollgate.gateway
    const ids = readsOfDeclines()
    await pay()
    expect(ids.length).toBe(1)
    expect(await declinedCards.follow.step()).toBe('done')
    await pay()
    expect([ids.length, await storage.cardDeclinesAfter(0, '', 9)]).toEqual([1, []])
    expect(await codesAfter('24', {})).toEqual(['700.600.024'])
    expect(ids.length).toBe(3)
  })

  test('of another process are followed', async () => {
    const peer = await testGateway({ storage: tollgate.gateway.storage })
    try {
      const { declinedCards, storage } = peer.gateway
      await declinedCards.follow.step()
      await codesAfter('24')
      const [row] = await storage.cardDeclinesAfter(0, '', 9)
      const ids = [row?.id ?? '']
      expect(await declinedCards.find(ids)).toBeUndefined()
      await declinedCards.follow.step()
      expect((await declinedCards.find(ids))?.advices.map(({ code }) => code)).toEqual(['24'])
    } finally {
      await peer.close()
    }
  })

  test('contain no account data, and are erased when they limit nothing', async () => {
    await codesAfter('25')
    const { storage } = tollgate.gateway
    const [row] = await storage.cardDeclinesAfter(0, '', 9)
    const atMs = tollgate.clock.nowMs
    const advice = { code: '25', atMs, expiry: '2034-05', isAuthenticated: false, isCvvWrong: false }
    expect(row).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{64}$/),
      expires_at_ms: atMs + 30 * DAY_MS,
    })
    expect(JSON.parse(row?.declines ?? '')).toEqual({ declinedAtMs: [atMs], advices: [advice] })
    const task = eraseCardDeclines(tollgate.gateway)
    tollgate.clock.nowMs += 30 * DAY_MS
    expect([await task.step(), (await storage.cardDeclinesAfter(0, '', 9)).length]).toEqual(['done', 1])
    tollgate.clock.nowMs += 1
    expect([await task.step(), (await storage.cardDeclinesAfter(0, '', 9)).length]).toEqual(['more', 0])
  })

  test('that cannot be written change no result', async () => {
    const { storage } = tollgate.gateway
    const commit = storage.commit.bind(storage)
    Object.assign(storage, {
      commit: (unit: Parameters0<typeof commit>) =>
        unit.rows.card_declines ? Promise.reject(new Error('disk')) : commit(unit),
    })
    expect(await codesAfter('24', {})).toEqual(['000.100.112'])
    expect(tollgate.logged.filter(({ level }) => level === 'error')).toMatchObject([
      { operation: 'store the decline of a card' },
    ])
  })
})

type Parameters0<F extends (unit: never) => unknown> = F extends (unit: infer U) => unknown ? U : never
