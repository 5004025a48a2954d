import { describe, expect, test } from 'vitest'
import type { ChoiceName } from './choices.ts'
import { type Answer, order, parseAnswer, testBank } from './testing/test-bank.ts'

const bank = testBank()

describe('a request to open a payment', () => {
  test('is answered with the address of its page', async () => {
    const answer = await bank().post('/bank/payments', order)
    const id = '01'.repeat(16)
    const { reference, amount, currency, brand } = order
    const redirectUrl = `https://bank.example/bank/${id}`
    const noAmounts = { heldAmount: '0.00', capturedAmount: '0.00', refundedAmount: '0.00', cancelledAmount: '0.00' }
    const open = { id, reference, amount, currency, brand, intent: 'sale', state: 'open', ...noAmounts, redirectUrl }
    expect([answer.status, parseAnswer(answer)]).toEqual([201, open])
    expect(await bank().getPayment(id)).toEqual(open)
    expect(bank().calls).toEqual([])
  })

  test('can have any text as details of the shopper, which a repeated request must not change', async () => {
    const details = {
      email: 'jane@example.com',
      accountHolder: 'Jane\nJones',
      bic: 'INGBNL2A',
      iban: 'NL00',
      bankName: 'x',
    }
    expect((await bank().post('/bank/payments', { ...order, ...details })).status).toBe(201)
    expect((await bank().post('/bank/payments', { ...order, ...details })).status).toBe(201)
    expect((await bank().post('/bank/payments', { ...order, ...details, bic: 'ABNANL2A' })).status).toBe(409)
  })

  test('opens one payment if it is repeated, and is refused if it has the reference of a different order', async () => {
    const id = await bank().open()
    expect(await bank().open()).toBe(id)
    const other = await bank().post('/bank/payments', { ...order, amount: '93.00' })
    expect([other.status, parseAnswer(other).code]).toEqual([409, 'otherOrder'])
  })

  test.each<[string, unknown]>([
    ['reference', ''],
    ['reference', 'line\nline'],
    ['amount', '92'],
    ['amount', '0.00'],
    ['amount', 92],
    ['amount', '-1.00'],
    ['currency', 'EURO'],
    ['brand', 'IDEAAL'],
    ['brand', 'constructor'],
    ['description', 'x'.repeat(256)],
    ['returnUrl', '/pages/return'],
    ['returnUrl', 'javascript:alert(1)'],
    ['returnUrl', 'https://user:password@gateway.example/'],
    ['notificationUrl', `https://gateway.example/${'x'.repeat(2048)}`],
    ['locale', 'de"><script>'],
    ['bankName', 'x'.repeat(1025)],
    ['intent', 'later'],
    ['createAgreement', 'yes'],
  ])('is refused with the name of an invalid %s: %j', async (name, value) => {
    const answer = await bank().post('/bank/payments', { ...order, [name]: value })
    expect([answer.status, parseAnswer(answer).fields?.map((field) => field.name)]).toEqual([400, [name]])
  })

  test.each(['', 'null', '[]', '"x"', '{', '{}'])(
    'is refused with the names of all missing fields if the body is no order: %s',
    async (body) => {
      const answer = await bank().send('POST', '/bank/payments', body)
      expect([answer.status, parseAnswer(answer).fields?.map(({ name }) => name)]).toEqual([400, Object.keys(order)])
    },
  )
})

describe('a gateway', () => {
  test('cancels an order before the confirmation, and is notified once if it cancels twice', async () => {
    const id = await bank().open()
    const cancelled = await bank().post(`/bank/payments/${id}/cancel`, {})
    expect(parseAnswer(cancelled)).toMatchObject({ state: 'cancelled', reason: 'cancelledByMerchant' })
    expect((await bank().post(`/bank/payments/${id}/cancel`, {})).status).toBe(200)
    expect(bank().calls).toHaveLength(1)
  })

  test('cancels an order by its reference, even before the order arrives, but not while it is pending', async () => {
    const id = await bank().open()
    const cancel = (reference: unknown) => bank().post('/bank/payments/cancellations', { reference })
    expect((await cancel(order.reference)).status).toBe(200)
    expect((await bank().getPayment(id)).state).toBe('cancelled')
    expect((await cancel('never arrived')).status).toBe(200)
    expect(parseAnswer(await bank().post('/bank/payments', { ...order, reference: 'never arrived' })).code).toBe(
      'withdrawn',
    )
    expect((await cancel('')).status).toBe(400)
    const pending = await bank().open({ reference: 'pending' })
    await bank().press(pending, 'payLater', '5')
    expect((await cancel('pending')).status).toBe(409)
  })

  test('reverses a paid order by its reference, in full and once', async () => {
    const id = await bank().open()
    await bank().press(id, 'pay')
    const cancel = () => bank().post('/bank/payments/cancellations', { reference: order.reference })
    expect(parseAnswer(await cancel())).toMatchObject({ state: 'refunded', refundedAmount: '92.00' })
    expect(parseAnswer(await cancel())).toMatchObject({ state: 'refunded', refundedAmount: '92.00' })
    expect((await bank().getPayment(id)).state).toBe('refunded')
  })

  test('cannot cancel a pending or paid order by its id', async () => {
    for (const choice of ['payLater', 'pay'] as const) {
      const id = await bank().open({ reference: choice })
      await bank().press(id, choice, '5')
      const answer = await bank().post(`/bank/payments/${id}/cancel`, {})
      expect([answer.status, parseAnswer(answer).code]).toEqual([409, 'wrongState'])
    }
  })

  test('refunds in parts, each reference once, and never more than was paid', async () => {
    const id = await bank().open()
    const refund = async (reference: string, amount: string) => {
      const { status, body } = await bank().post(`/bank/payments/${id}/refunds`, { reference, amount })
      const { state, code, refundedAmount }: Answer = JSON.parse(body)
      return [status, code ?? state, refundedAmount]
    }
    expect(await refund('first', '1.00')).toEqual([409, 'wrongState', undefined])
    await bank().press(id, 'pay')
    expect(await refund('first', '2.10')).toEqual([201, 'paid', '2.10'])
    expect(await refund('first', '2.10')).toEqual([201, 'paid', '2.10'])
    expect(await refund('first', '2.11')).toEqual([409, 'otherOrder', undefined])
    expect(await refund('second', '89.91')).toEqual([409, 'tooMuch', undefined])
    expect(await refund('second', '89.90')).toEqual([201, 'refunded', '92.00'])
    expect(await refund('third', '0.01')).toEqual([409, 'tooMuch', undefined])
    expect(bank().calls.filter(({ method }) => method === 'POST')).toHaveLength(2)
  })

  describe('charges under an agreement of the shopper', () => {
    const createAgreement = async (choice: ChoiceName) => {
      const id = await bank().open({ brand: 'PAYPAL', createAgreement: 'true', reference: choice })
      expect((await bank().getPayment(id)).agreementId).toBeUndefined()
      await bank().press(id, choice)
      return (await bank().getPayment(id)).agreementId
    }
    const charge = async (changes: object) =>
      bank().post('/bank/payments', { ...order, brand: 'PAYPAL', reference: 'charge', ...changes })

    test('are confirmed at once, without the shopper, and once for each reference', async () => {
      const agreementId = await createAgreement('pay')
      const first = parseAnswer(await charge({ agreementId }))
      expect(first).toMatchObject({ state: 'paid', capturedAmount: '92.00' })
      expect(parseAnswer(await charge({ agreementId })).id).toBe(first.id)
      expect(parseAnswer(await charge({ agreementId, intent: 'hold', reference: 'hold' }))).toMatchObject({
        state: 'held',
      })
    })

    test('are refused without the agreement of a confirmed payment of the same brand', async () => {
      expect(await createAgreement('cancel')).toBeUndefined()
      const agreementId = await createAgreement('pay')
      for (const changes of [{ agreementId: 'f'.repeat(32) }, { agreementId, brand: 'ALIPAY' }]) {
        const answer = await charge(changes)
        expect([answer.status, parseAnswer(answer).code]).toEqual([409, 'noAgreement'])
      }
    })

    test('have no agreement if the earlier payment did not request one', async () => {
      const id = await bank().open()
      await bank().press(id, 'pay')
      expect((await bank().getPayment(id)).agreementId).toBeUndefined()
    })
  })

  test.each([
    [{}, ['reference', 'amount']],
    [{ reference: 'r', amount: '0.00' }, ['amount']],
    [{ reference: 5, amount: '1.00' }, ['reference']],
  ])('gets the names of the invalid fields of a refund: %j', async (body, names) => {
    const id = await bank().open()
    await bank().press(id, 'pay')
    const answer = await bank().post(`/bank/payments/${id}/refunds`, body)
    expect([answer.status, parseAnswer(answer).fields?.map(({ name }) => name)]).toEqual([400, names])
  })

  test('is notified six times if it never answers with success', async () => {
    const id = await bank().open()
    bank().statuses = [new Error('ECONNREFUSED'), 500, 302, 503, 404, 500]
    await bank().press(id, 'pay')
    const callCounts = [bank().calls.length]
    for (const minutes of [0.01, 0.02, 0.2, 1, 10, 60, 600]) {
      await bank().advance(minutes)
      callCounts.push(bank().calls.length)
    }
    expect(callCounts).toEqual([1, 1, 2, 3, 4, 5, 6, 6])
  })

  test('gets no second notification after a success, and no repetition of the second return', async () => {
    const id = await bank().open()
    bank().statuses = [200, new Error('ECONNREFUSED')]
    await bank().press(id, 'payTwice')
    await bank().advance(600)
    expect(bank().calls.map(({ method }) => method)).toEqual(['POST', 'GET'])
  })
})
