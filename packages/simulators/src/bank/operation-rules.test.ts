import { describe, expect, test } from 'vitest'
import { type Answer, order, type Reply, testBank } from './testing/test-bank.ts'

const bank = testBank()

describe('operations on a payment', () => {
  /** An operation, and the state with the held, captured, refunded and cancelled amounts after it; or the refusal. */
  type Step = readonly [path: string, reference: string, amount: string, of: string | undefined, expected: string]
  const root = order.reference
  const cases: readonly (readonly [title: string, intent: 'sale' | 'hold', steps: readonly Step[]])[] = [
    ['a hold without operations is held in full', 'hold', []],
    ['a full capture pays the order', 'hold', [['captures', 'c1', '92.00', undefined, 'paid 0.00 92.00 0.00 0.00']]],
    [
      'partial captures count once per reference, and never exceed the held amount',
      'hold',
      [
        ['captures', 'c1', '50.00', undefined, 'held 42.00 50.00 0.00 0.00'],
        ['captures', 'c1', '50.00', undefined, 'held 42.00 50.00 0.00 0.00'],
        ['captures', 'c1', '50.01', undefined, '409 otherOrder'],
        ['refunds', 'c1', '50.00', root, '409 otherOrder'],
        ['captures', 'c2', '42.01', undefined, '409 tooMuch'],
        ['captures', 'c2', '42.00', undefined, 'paid 0.00 92.00 0.00 0.00'],
      ],
    ],
    [
      'an increased hold is captured in full',
      'hold',
      [
        ['increases', 'i1', '8.00', undefined, 'held 100.00 0.00 0.00 0.00'],
        ['increases', 'i1', '8.00', undefined, 'held 100.00 0.00 0.00 0.00'],
        ['captures', 'c1', '100.00', undefined, 'paid 0.00 100.00 0.00 0.00'],
        ['increases', 'i2', '1.00', undefined, '409 wrongState'],
      ],
    ],
    [
      'a hold is released in parts, and captured amounts stay',
      'hold',
      [
        ['captures', 'c1', '50.00', undefined, 'held 42.00 50.00 0.00 0.00'],
        ['reversals', 'v1', '2.00', root, 'held 40.00 50.00 0.00 2.00'],
        ['reversals', 'v2', '40.01', root, '409 tooMuch'],
        ['reversals', 'v2', '40.00', root, 'paid 0.00 50.00 0.00 42.00'],
      ],
    ],
    [
      'a hold is released in full',
      'hold',
      [
        ['reversals', 'v1', '92.00', root, 'cancelled 0.00 0.00 0.00 92.00'],
        ['captures', 'c1', '1.00', undefined, '409 tooMuch'],
      ],
    ],
    [
      'a capture is reversed in full, and its amount is held again',
      'hold',
      [
        ['captures', 'c1', '50.00', undefined, 'held 42.00 50.00 0.00 0.00'],
        ['reversals', 'v1', '49.00', 'c1', '409 wrongState'],
        ['reversals', 'v1', '50.00', 'c1', 'held 92.00 0.00 0.00 0.00'],
        ['refunds', 'r1', '1.00', 'c1', '409 unknownReference'],
      ],
    ],
    [
      'a refund counts against its capture',
      'hold',
      [
        ['captures', 'c1', '50.00', undefined, 'held 42.00 50.00 0.00 0.00'],
        ['captures', 'c2', '42.00', undefined, 'paid 0.00 92.00 0.00 0.00'],
        ['refunds', 'r1', '42.01', 'c2', '409 tooMuch'],
        ['refunds', 'r1', '42.00', 'c2', 'paid 0.00 92.00 42.00 0.00'],
        ['refunds', 'r1', '42.00', 'c2', 'paid 0.00 92.00 42.00 0.00'],
        ['reversals', 'v1', '42.00', 'c2', '409 wrongState'],
        ['refunds', 'r2', '50.00', 'c1', 'refunded 0.00 92.00 92.00 0.00'],
        ['refunds', 'r3', '1.00', root, '409 unknownReference'],
      ],
    ],
    [
      'a sale is reversed in full only, and neither captured nor increased',
      'sale',
      [
        ['captures', 'c1', '1.00', undefined, '409 wrongState'],
        ['increases', 'i1', '1.00', undefined, '409 wrongState'],
        ['reversals', 'v1', '1.00', root, '409 wrongState'],
        ['reversals', 'v1', '92.00', root, 'cancelled 0.00 0.00 0.00 92.00'],
        ['refunds', 'r1', '1.00', root, '409 unknownReference'],
      ],
    ],
  ]

  const summaryOf = ({ status, body }: Reply): string => {
    const { code, state, ...amounts }: Answer = JSON.parse(body)
    if (status >= 300) return `${status} ${code}`
    return [state, amounts.heldAmount, amounts.capturedAmount, amounts.refundedAmount, amounts.cancelledAmount].join(
      ' ',
    )
  }

  test.each(cases)('%s', async (_title, intent, steps) => {
    const id = await bank().open({ intent })
    await bank().press(id, 'pay')
    expect(summaryOf(await bank().get(`/bank/payments/${id}`))).toBe(
      intent === 'hold' ? 'held 92.00 0.00 0.00 0.00' : 'paid 0.00 92.00 0.00 0.00',
    )
    for (const [path, reference, amount, of, expected] of steps) {
      const answer = await bank().post(`/bank/payments/${id}/${path}`, { reference, amount, of })
      expect([path, reference, summaryOf(answer)]).toEqual([path, reference, expected])
    }
  })

  test.each(['captures', 'increases', 'reversals', 'refunds'])(
    '%s without a confirmation are refused',
    async (path) => {
      for (const choice of [undefined, 'cancel', 'decline', 'payLater'] as const) {
        const id = await bank().open({ intent: 'hold', reference: `${path} ${choice}` })
        if (choice) await bank().press(id, choice, '5')
        const answer = await bank().post(`/bank/payments/${id}/${path}`, { reference: 'x', amount: '1.00' })
        expect([choice, summaryOf(answer)]).toEqual([choice, '409 wrongState'])
      }
    },
  )

  test('a hold is released by the reference of its order, once', async () => {
    const id = await bank().open({ intent: 'hold' })
    await bank().press(id, 'pay')
    const cancel = () => bank().post('/bank/payments/cancellations', { reference: root })
    expect(summaryOf(await cancel())).toBe('cancelled 0.00 0.00 0.00 92.00')
    expect(summaryOf(await cancel())).toBe('cancelled 0.00 0.00 0.00 92.00')
  })
})
