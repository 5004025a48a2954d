import { sandboxIds, sandboxToken } from '@tollgate/gateway'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cleanUp } from '../support/process.ts'
import { gatewayKinds, startPublicGateway } from '../support/public-gateways.ts'
import { olderPlugin, type PluginSettings } from './older-plugin.ts'
import { phraseClient } from './phrase-client.ts'
import { typedClient } from './typed-client.ts'

// The clients imitate clients of older platforms: "Each must work here with only its base URL and credentials changed"
// (interop).

const visa = {
  paymentBrand: 'VISA',
  'card.number': '4200000000000000',
  'card.holder': 'Jane Jones',
  'card.expiryMonth': '05',
  'card.expiryYear': '2034',
  'card.cvv': '123',
}
const { paymentBrand: _, ...cardWithoutBrand } = visa
const UNKNOWN_ID = '0'.repeat(32)
/** On channels with 3-D Secure for every card a payment requires the URL to which the shopper returns. */
const returnParameters = { shopperResultUrl: 'https://shop.example/done' }
const channels = [
  {
    channel: 'legacy',
    entityId: sandboxIds.legacyChannel,
    redirectParameters: {},
    refundOfCapturedPreauthorisation: 'approved success',
  },
  {
    channel: 'legacy with 3-D Secure',
    entityId: sandboxIds.secureLegacyChannel,
    redirectParameters: returnParameters,
    refundOfCapturedPreauthorisation: 'approved success',
  },
  {
    channel: 'strict',
    entityId: sandboxIds.channel,
    redirectParameters: {},
    refundOfCapturedPreauthorisation: 'refused capture first',
  },
]

let base = ''

describe.each(gatewayKinds)('a gateway %s', (gatewayKind) => {
  beforeAll(async () => {
    const { gateway } = await startPublicGateway(gatewayKind)
    base = `${gateway.url}/`
  })
  afterAll(cleanUp)

  describe.each(channels)('a typed client, on a $channel channel', ({ entityId, redirectParameters }) => {
    const card = { ...visa, ...redirectParameters }
    const client = () => typedClient(base, sandboxToken, entityId)

    test('preauthorises, captures, refunds, reverses, and reads every transaction', async () => {
      const { preauthorise, capture, refund, reverse, read } = client()
      const preauthorised = await preauthorise(card, '92.00')
      const captured = await capture(preauthorised.id, '50.00')
      const refunded = await refund(captured.id, '20.00')
      const reversed = await reverse(preauthorised.id)
      const transactions = [preauthorised, captured, refunded, reversed]
      expect(transactions.map(({ status, result }) => [status, result.code])).toEqual(
        transactions.map(() => [200, '000.100.110']),
      )
      expect(transactions.map(({ paymentType, amount }) => `${paymentType} ${amount}`)).toEqual([
        'PA 92.00',
        'CP 50.00',
        'RF 20.00',
        'RV 42.00',
      ])
      expect([captured, refunded, reversed].map(({ referencedId }) => referencedId)).toEqual([
        preauthorised.id,
        captured.id,
        preauthorised.id,
      ])
      for (const { id, amount } of transactions) expect(await read(id)).toMatchObject({ id, amount })
    })

    test('reverses a debit, for which it sends neither amount nor currency', async () => {
      const { debit, reverse } = client()
      const paid = await debit(card, '10')
      expect(await reverse(paid.id)).toMatchObject({
        status: 200,
        amount: '10.00',
        currency: 'EUR',
        referencedId: paid.id,
      })
    })

    test('charges the card of a debit again, and refunds the rebill', async () => {
      const { debit, rebill, refund } = client()
      const paid = await debit(card, '92.00')
      const rebilled = await rebill(paid.id, '5.00')
      expect(rebilled).toMatchObject({ status: 200, paymentType: 'RB', amount: '5.00', referencedId: paid.id })
      expect(await refund(rebilled.id, '5.00')).toMatchObject({ status: 200, referencedId: rebilled.id })
    })

    test('finds the fields that it requires in every refusal', async () => {
      const { debit, preauthorise, capture, refund, rebill, reverse } = client()
      const declined = await debit({ ...card, 'card.holder': '{800.100.151}' }, '92.00')
      const preauthorised = await preauthorise(card, '92.00')
      const refused = [
        declined,
        await refund(declined.id, '1.00'),
        await capture(preauthorised.id, '92.01'),
        await refund(preauthorised.id, '1.00'),
        await capture(UNKNOWN_ID, '1.00'),
        await refund(UNKNOWN_ID, '1.00'),
        await reverse(declined.id),
        await rebill(declined.id, '1.00'),
        await rebill(UNKNOWN_ID, '1.00'),
      ]
      expect(refused.map(({ status, result }) => [status, result.code])).toEqual([
        [400, '800.100.151'],
        [400, '700.300.200'],
        [400, '700.400.100'],
        [400, '700.400.520'],
        [404, '700.400.510'],
        [404, '600.200.500'],
        [400, '700.300.200'],
        [400, '700.300.200'],
        [404, '700.400.580'],
      ])
    })
  })

  describe('an older plugin, which sends its login as parameters', () => {
    const plugin = (settings: Partial<PluginSettings> = {}) =>
      olderPlugin({
        base,
        userId: sandboxIds.user,
        password: 'sandbox',
        entityId: sandboxIds.legacyChannel,
        ...settings,
      })
    const order = { number: '17', total: 10, phone: '(0)30 / 1234 ext. 5' }

    test.each(channels.filter(({ channel }) => channel !== 'strict'))(
      'pays, charges the stored card, refunds, reads the refund and deletes the card, on a $channel channel',
      async ({ entityId, redirectParameters }) => {
        const { pay, payWithRegistration, refund, read, deregister } = plugin({ entityId, redirectParameters })
        const paid = await pay(order, cardWithoutBrand)
        expect(paid).toMatchObject({ status: 200, amount: '10.00', paymentType: 'DB', merchantTransactionId: '17' })
        const charged = await payWithRegistration(paid.registrationId ?? '', 5)
        const refunded = await refund(paid.id, 10)
        const readAgain = await read(refunded.id)
        const deleted = await deregister(paid.registrationId ?? '')
        const answers = [charged, refunded, readAgain, deleted]
        expect(answers.map(({ status, result }) => [status, result.code])).toEqual(
          answers.map(() => [200, '000.100.110']),
        )
        expect([charged.amount, refunded.amount, readAgain.id]).toEqual(['5.00', '10.00', refunded.id])
      },
    )

    test('receives the documented phrase for a wrong password', async () => {
      const { pay, read } = plugin({ password: 'wrong' })
      for (const answer of [await pay(order, cardWithoutBrand), await read(UNKNOWN_ID)]) {
        expect([answer.status, answer.result.code]).toEqual([403, '800.900.300'])
        expect(answer.result.description).toContain('invalid authentication information')
      }
    })

    test('is refused on a strict channel, like any request without an Authorization header', async () => {
      const { pay, payWithRegistration, refund, read, deregister } = plugin({ entityId: sandboxIds.channel })
      const answers = [
        await pay(order, cardWithoutBrand),
        await payWithRegistration(UNKNOWN_ID, 5),
        await refund(UNKNOWN_ID, 10),
        await read(UNKNOWN_ID),
        await deregister(UNKNOWN_ID),
      ]
      expect(answers.map(({ status, result }) => [status, result.code])).toEqual(
        answers.map(() => [401, '800.900.300']),
      )
    })
  })

  describe.each(channels)(
    'a client that reads phrases of descriptions, on a $channel channel',
    ({ entityId, redirectParameters, refundOfCapturedPreauthorisation }) => {
      const card = { ...visa, ...redirectParameters }
      const client = () => phraseClient(base, sandboxToken, entityId)

      test('recognises the outcome of each request and its reason', async () => {
        const { pay, capture, refund, reverse, read } = client()
        const preauthorised = await pay({ ...card, paymentType: 'PA' })
        const verdicts = [
          preauthorised,
          await capture(preauthorised.id),
          await read(preauthorised.id),
          await reverse(UNKNOWN_ID),
          await capture(UNKNOWN_ID),
          await refund(UNKNOWN_ID),
          await refund(preauthorised.id),
          await read(UNKNOWN_ID),
          await pay({ ...card, 'card.number': '4200000000000001' }),
          await pay({ ...card, 'card.holder': '{800.100.151}' }),
          await pay({ ...card, amount: 'ten' }),
          await pay({ paymentBrand: 'NONE' }),
        ]
        expect(verdicts.map(({ outcome, reason }) => `${outcome} ${reason}`)).toEqual([
          'approved success',
          'approved success',
          'approved success',
          'refused reversal',
          'refused capture',
          'refused refund',
          refundOfCapturedPreauthorisation,
          'refused unknown',
          'refused card',
          'refused declined',
          'refused form',
          'refused method',
        ])
      })

      test('distinguishes reviews from approvals', async () => {
        const { pay } = client()
        const outcome = async (code: string) =>
          (await pay({ ...card, 'customParameters[forceResultCode]': code })).outcome
        expect(await outcome('000.400.000')).toBe('review')
        expect(await outcome('000.400.110')).toBe('approved')
      })

      test('recognises a wrong token', async () => {
        const { pay } = phraseClient(base, 'wrong', entityId)
        expect(await pay(card)).toMatchObject({ outcome: 'refused', reason: 'login' })
      })
    },
  )
})
