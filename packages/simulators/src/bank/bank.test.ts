import { MINUTE_MS } from '@tollgate/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Simulator, SimulatorResponse } from '../http/exchange.ts'
import { limits } from '../limits.ts'
import { createBank } from './bank.ts'
import type { OutgoingCall } from './calls.ts'
import { type ChoiceName, choiceNames } from './choices.ts'
import { type BankPayment, createBankPayments } from './payments.ts'

const order = {
  reference: '8ac7a4a0853f4d1b9c2e6f7a1b3c5d7e',
  amount: '92.00',
  currency: 'EUR',
  brand: 'IDEAL',
  description: 'Tea & <Company>',
  returnUrl: 'https://gateway.example/pages/return/1?sign=a%20b',
  notificationUrl: 'https://gateway.example/pages/notify/1',
}

let nowMs = 0
let drawn = 0
let calls: OutgoingCall[] = []
let statuses: (number | Error)[] = []
let bank: Simulator

beforeEach(() => {
  nowMs = Date.UTC(2026, 0, 1)
  drawn = 0
  calls = []
  statuses = []
  bank = createBank({
    url: 'https://bank.example',
    clock: { now: () => nowMs },
    random: (bytes) => new Uint8Array(bytes).fill((drawn += 1)),
    async send(call) {
      calls.push(call)
      const status = statuses.shift() ?? 200
      if (status instanceof Error) throw status
      return status
    },
  })
})

async function ask(method: string, path: string, body = '', headers = {}): Promise<SimulatorResponse> {
  const [pathname = '', query = ''] = path.split('?')
  const response = await bank.handle({ method, path: pathname, query, headers, body: Buffer.from(body) })
  await bank.advance()
  return response
}

const post = (path: string, body: object) => ask('POST', path, JSON.stringify(body))

const times = <T>(length: number, value: T): readonly T[] => Array.from({ length }, () => value)

interface Answer {
  readonly id?: string
  readonly state?: string
  readonly reason?: string
  readonly heldAmount?: string
  readonly capturedAmount?: string
  readonly refundedAmount?: string
  readonly cancelledAmount?: string
  readonly agreementId?: string
  readonly redirectUrl?: string
  readonly code?: string
  readonly fields?: readonly { readonly name: string }[]
}

const read = ({ body }: SimulatorResponse): Answer => JSON.parse(String(body))

type Changes = Partial<typeof order & Record<'locale' | 'intent' | 'createAgreement', string>>

async function opened(changes: Changes = {}): Promise<string> {
  return read(await post('/bank/payments', { ...order, ...changes })).id ?? ''
}

const stateOf = async (id: string) => read(await ask('GET', `/bank/payments/${id}`))
const press = (id: string, choice: ChoiceName, minutes = '') =>
  ask('POST', `/bank/${id}`, new URLSearchParams({ choice, minutes }).toString())

async function pass(minutes: number): Promise<void> {
  nowMs += minutes * MINUTE_MS
  await bank.advance()
}

describe('a gateway opens a payment', () => {
  test('and is told where the shopper goes', async () => {
    const answer = await post('/bank/payments', order)
    const id = '01'.repeat(16)
    const { reference, amount, currency, brand } = order
    const redirectUrl = `https://bank.example/bank/${id}`
    const none = { heldAmount: '0.00', capturedAmount: '0.00', refundedAmount: '0.00', cancelledAmount: '0.00' }
    const open = { id, reference, amount, currency, brand, intent: 'sale', state: 'open', ...none, redirectUrl }
    expect([answer.status, read(answer)]).toEqual([201, open])
    expect(await stateOf(id)).toEqual(open)
    expect(calls).toEqual([])
  })

  test('with what its page can be filled in with, whatever the texts', async () => {
    const told = {
      email: 'jane@example.com',
      accountHolder: 'Jane\nJones',
      bic: 'INGBNL2A',
      iban: 'NL00',
      bankName: 'x',
    }
    expect((await post('/bank/payments', { ...order, ...told })).status).toBe(201)
    expect((await post('/bank/payments', { ...order, ...told })).status).toBe(201)
    expect((await post('/bank/payments', { ...order, ...told, bic: 'ABNANL2A' })).status).toBe(409)
  })

  test('the same once more makes none anew; the reference with other values is refused', async () => {
    const id = await opened()
    expect(await opened()).toBe(id)
    const other = await post('/bank/payments', { ...order, amount: '93.00' })
    expect([other.status, read(other).code]).toEqual([409, 'otherOrder'])
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
  ])('a wrong %s is named: %j', async (name, value) => {
    const answer = await post('/bank/payments', { ...order, [name]: value })
    expect([answer.status, read(answer).fields?.map((field) => field.name)]).toEqual([400, [name]])
  })

  test.each(['', 'null', '[]', '"x"', '{', '{}'])(
    'a body that is no order names all that is missing: %s',
    async (body) => {
      const answer = await ask('POST', '/bank/payments', body)
      expect([answer.status, read(answer).fields?.map(({ name }) => name)]).toEqual([400, Object.keys(order)])
    },
  )
})

describe('a shopper chooses', () => {
  const outcomes: Readonly<
    Record<
      ChoiceName,
      { readonly at: string; readonly ends?: string; readonly returns: boolean; readonly gets: number }
    >
  > = {
    pay: { at: 'paid', returns: true, gets: 0 },
    cancel: { at: 'cancelled', returns: true, gets: 0 },
    decline: { at: 'failed', returns: true, gets: 0 },
    payTwice: { at: 'paid', returns: true, gets: 1 },
    payAndStay: { at: 'paid', returns: false, gets: 0 },
    payLater: { at: 'pending', ends: 'paid', returns: true, gets: 0 },
    failLater: { at: 'pending', ends: 'failed', returns: true, gets: 0 },
    payTooLate: { at: 'open', ends: 'paid', returns: false, gets: 0 },
  }

  test.each(choiceNames)('%s', async (choice) => {
    const { at, ends, returns, gets } = outcomes[choice]
    const id = await opened()
    const answer = await press(id, choice, '7')
    expect((await stateOf(id)).state).toBe(at)
    const location = `${order.returnUrl}&state=${at}`
    expect([answer.status, answer.headers['location']]).toEqual(returns ? [303, location] : [200, undefined])
    if (!returns) expect(answer.body).not.toContain('gateway.example')
    expect(calls.filter(({ method }) => method === 'GET')).toEqual(times(gets, { method: 'GET', url: location }))
    await pass(6.9)
    expect((await stateOf(id)).state).toBe(at)
    await pass(0.2)
    expect((await stateOf(id)).state).toBe(ends ?? at)
    const told = { method: 'POST', url: order.notificationUrl, body: JSON.stringify({ id }) }
    expect(calls.filter(({ method }) => method === 'POST')).toEqual(times(ends ? 2 : 1, told))
  })

  test.each(choiceNames)('and nothing else after %s: what was chosen first holds', async (choice) => {
    const id = await opened()
    await press(id, choice, '60')
    const before = await stateOf(id)
    const again = choice === 'cancel' ? 'pay' : 'cancel'
    const answer = await press(id, again)
    expect([answer.status, await stateOf(id)]).toEqual([409, before])
    expect(answer.body).toContain('role="alert"')
  })

  test.each(['', '0', '-1', '1.5', '1e3', '10081', 'x'])('%j are no minutes to wait', async (minutes) => {
    const id = await opened()
    const answer = await press(id, 'payLater', minutes)
    expect([answer.status, (await stateOf(id)).state]).toEqual([400, 'open'])
    expect(answer.body).toContain('Give a whole number of minutes from 1 to 10080.')
  })

  test('what is no choice changes nothing', async () => {
    const id = await opened()
    await ask('POST', `/bank/${id}`, 'choice=toString')
    await ask('POST', `/bank/${id}`, '')
    expect((await stateOf(id)).state).toBe('open')
  })

  test('an id that nobody was told of finds nothing', async () => {
    const paths = ['/bank/0', `/bank/${'f'.repeat(32)}`, '/bank/__proto__']
    const found = await Promise.all(paths.flatMap((path) => [ask('GET', path), ask('POST', path, 'choice=pay')]))
    expect(found.map(({ status }) => status)).toEqual(times(6, 404))
  })
})

describe('a gateway', () => {
  test('cancels what the shopper has not agreed to, and is told so twice alike', async () => {
    const id = await opened()
    const cancelled = await post(`/bank/payments/${id}/cancel`, {})
    expect(read(cancelled)).toMatchObject({ state: 'cancelled', reason: 'cancelledByMerchant' })
    expect((await post(`/bank/payments/${id}/cancel`, {})).status).toBe(200)
    expect(calls).toHaveLength(1)
  })

  test('cancels by its reference what it got no answer to, whether or not it had arrived', async () => {
    const id = await opened()
    const cancel = (reference: unknown) => post('/bank/payments/cancellations', { reference })
    expect((await cancel(order.reference)).status).toBe(200)
    expect((await stateOf(id)).state).toBe('cancelled')
    expect((await cancel('never arrived')).status).toBe(200)
    expect(read(await post('/bank/payments', { ...order, reference: 'never arrived' })).code).toBe('withdrawn')
    expect((await cancel('')).status).toBe(400)
    const pending = await opened({ reference: 'pending' })
    await press(pending, 'payLater', '5')
    expect((await cancel('pending')).status).toBe(409)
  })

  test('gives back by its reference what was paid without an answer, in full and once', async () => {
    const id = await opened()
    await press(id, 'pay')
    const cancel = () => post('/bank/payments/cancellations', { reference: order.reference })
    expect(read(await cancel())).toMatchObject({ state: 'refunded', refundedAmount: '92.00' })
    expect(read(await cancel())).toMatchObject({ state: 'refunded', refundedAmount: '92.00' })
    expect((await stateOf(id)).state).toBe('refunded')
  })

  test('does not cancel what is under way or paid', async () => {
    for (const choice of ['payLater', 'pay'] as const) {
      const id = await opened({ reference: choice })
      await press(id, choice, '5')
      const answer = await post(`/bank/payments/${id}/cancel`, {})
      expect([answer.status, read(answer).code]).toEqual([409, 'wrongState'])
    }
  })

  test('gives back in parts, each reference once, and never more than was paid', async () => {
    const id = await opened()
    const refund = async (reference: string, amount: string) => {
      const { status, body } = await post(`/bank/payments/${id}/refunds`, { reference, amount })
      const { state, code, refundedAmount }: Answer = JSON.parse(String(body))
      return [status, code ?? state, refundedAmount]
    }
    expect(await refund('first', '1.00')).toEqual([409, 'wrongState', undefined])
    await press(id, 'pay')
    expect(await refund('first', '2.10')).toEqual([201, 'paid', '2.10'])
    expect(await refund('first', '2.10')).toEqual([201, 'paid', '2.10'])
    expect(await refund('first', '2.11')).toEqual([409, 'otherOrder', undefined])
    expect(await refund('second', '89.91')).toEqual([409, 'tooMuch', undefined])
    expect(await refund('second', '89.90')).toEqual([201, 'refunded', '92.00'])
    expect(await refund('third', '0.01')).toEqual([409, 'tooMuch', undefined])
    expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(2)
  })

  describe('carries out operations on a confirmed payment, each reference once', () => {
    /** Operations in a row, and the amounts after them: held, captured, refunded, cancelled; or the refusal. */
    type Step = readonly [what: string, reference: string, amount: string, of: string | undefined, then: string]
    const root = order.reference
    const stories: readonly (readonly [story: string, intent: 'sale' | 'hold', steps: readonly Step[]])[] = [
      ['nothing', 'hold', []],
      ['a capture in full', 'hold', [['captures', 'c1', '92.00', undefined, 'paid 0.00 92.00 0.00 0.00']]],
      [
        'captures in parts, each reference once, never more than is held',
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
        'an increase is captured, too',
        'hold',
        [
          ['increases', 'i1', '8.00', undefined, 'held 100.00 0.00 0.00 0.00'],
          ['increases', 'i1', '8.00', undefined, 'held 100.00 0.00 0.00 0.00'],
          ['captures', 'c1', '100.00', undefined, 'paid 0.00 100.00 0.00 0.00'],
          ['increases', 'i2', '1.00', undefined, '409 wrongState'],
        ],
      ],
      [
        'a hold is released in parts, what was captured stays',
        'hold',
        [
          ['captures', 'c1', '50.00', undefined, 'held 42.00 50.00 0.00 0.00'],
          ['reversals', 'v1', '2.00', root, 'held 40.00 50.00 0.00 2.00'],
          ['reversals', 'v2', '40.01', root, '409 tooMuch'],
          ['reversals', 'v2', '40.00', root, 'paid 0.00 50.00 0.00 42.00'],
        ],
      ],
      [
        'a hold is released as a whole',
        'hold',
        [
          ['reversals', 'v1', '92.00', root, 'cancelled 0.00 0.00 0.00 92.00'],
          ['captures', 'c1', '1.00', undefined, '409 tooMuch'],
        ],
      ],
      [
        'a capture is reversed in full, and held again',
        'hold',
        [
          ['captures', 'c1', '50.00', undefined, 'held 42.00 50.00 0.00 0.00'],
          ['reversals', 'v1', '49.00', 'c1', '409 wrongState'],
          ['reversals', 'v1', '50.00', 'c1', 'held 92.00 0.00 0.00 0.00'],
          ['refunds', 'r1', '1.00', 'c1', '409 unknownReference'],
        ],
      ],
      [
        'refunds count for their capture',
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
        'a sale is reversed as a whole, not captured or increased',
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

    const told = ({ status, body }: SimulatorResponse): string => {
      const { code, state, ...amounts }: Answer = JSON.parse(String(body))
      if (status >= 300) return `${status} ${code}`
      return [state, amounts.heldAmount, amounts.capturedAmount, amounts.refundedAmount, amounts.cancelledAmount].join(
        ' ',
      )
    }

    test.each(stories)('%s', async (_story, intent, steps) => {
      const id = await opened({ intent })
      await press(id, 'pay')
      expect(told(await ask('GET', `/bank/payments/${id}`))).toBe(
        intent === 'hold' ? 'held 92.00 0.00 0.00 0.00' : 'paid 0.00 92.00 0.00 0.00',
      )
      for (const [what, reference, amount, of, then] of steps) {
        const answer = await post(`/bank/payments/${id}/${what}`, { reference, amount, of })
        expect([what, reference, told(answer)]).toEqual([what, reference, then])
      }
    })

    test.each(['captures', 'increases', 'reversals', 'refunds'])(
      '%s before the confirmation: refused',
      async (what) => {
        for (const choice of [undefined, 'cancel', 'decline', 'payLater'] as const) {
          const id = await opened({ intent: 'hold', reference: `${what} ${choice}` })
          if (choice) await press(id, choice, '5')
          const answer = await post(`/bank/payments/${id}/${what}`, { reference: 'x', amount: '1.00' })
          expect([choice, told(answer)]).toEqual([choice, '409 wrongState'])
        }
      },
    )

    test('a hold without an answer is released by its reference, once', async () => {
      const id = await opened({ intent: 'hold' })
      await press(id, 'pay')
      const cancel = () => post('/bank/payments/cancellations', { reference: root })
      expect(told(await cancel())).toBe('cancelled 0.00 0.00 0.00 92.00')
      expect(told(await cancel())).toBe('cancelled 0.00 0.00 0.00 92.00')
    })
  })

  describe('charges under an agreement that the shopper made', () => {
    const agreed = async (choice: ChoiceName) => {
      const id = await opened({ brand: 'PAYPAL', createAgreement: 'true', reference: choice })
      expect((await stateOf(id)).agreementId).toBeUndefined()
      await press(id, choice)
      return (await stateOf(id)).agreementId
    }
    const charge = async (changes: object) =>
      post('/bank/payments', { ...order, brand: 'PAYPAL', reference: 'charge', ...changes })

    test('at once, without the shopper, each reference once', async () => {
      const agreementId = await agreed('pay')
      const first = read(await charge({ agreementId }))
      expect(first).toMatchObject({ state: 'paid', capturedAmount: '92.00' })
      expect(read(await charge({ agreementId })).id).toBe(first.id)
      expect(read(await charge({ agreementId, intent: 'hold', reference: 'hold' }))).toMatchObject({ state: 'held' })
    })

    test('not after a decline, under an unknown agreement, or for another brand', async () => {
      expect(await agreed('cancel')).toBeUndefined()
      const agreementId = await agreed('pay')
      for (const changes of [{ agreementId: 'f'.repeat(32) }, { agreementId, brand: 'ALIPAY' }]) {
        const answer = await charge(changes)
        expect([answer.status, read(answer).code]).toEqual([409, 'noAgreement'])
      }
    })

    test('nor without a request for an agreement', async () => {
      const id = await opened()
      await press(id, 'pay')
      expect((await stateOf(id)).agreementId).toBeUndefined()
    })
  })

  test.each([
    [{}, ['reference', 'amount']],
    [{ reference: 'r', amount: '0.00' }, ['amount']],
    [{ reference: 5, amount: '1.00' }, ['reference']],
  ])('is told what is wrong with a refund: %j', async (body, names) => {
    const id = await opened()
    await press(id, 'pay')
    const answer = await post(`/bank/payments/${id}/refunds`, body)
    expect([answer.status, read(answer).fields?.map(({ name }) => name)]).toEqual([400, names])
  })

  test('is called again while it does not answer with success, six times within an hour', async () => {
    const id = await opened()
    statuses = [new Error('ECONNREFUSED'), 500, 302, 503, 404, 500]
    await press(id, 'pay')
    const seen = [calls.length]
    for (const minutes of [0.01, 0.02, 0.2, 1, 10, 60, 600]) {
      await pass(minutes)
      seen.push(calls.length)
    }
    expect(seen).toEqual([1, 1, 2, 3, 4, 5, 6, 6])
  })

  test('a call that was answered is not made again, nor is the second return', async () => {
    statuses = [new Error('ECONNREFUSED'), 200]
    const id = await opened()
    statuses = [200, new Error('ECONNREFUSED')]
    await press(id, 'payTwice')
    await pass(600)
    expect(calls.map(({ method }) => method)).toEqual(['POST', 'GET'])
  })
})

describe('a page', () => {
  test('shows what the merchant says, and none of it as markup', async () => {
    const id = await opened()
    const { status, headers, body } = await ask('GET', `/bank/${id}`)
    expect(status).toBe(200)
    expect(body).toContain('Tea &amp; &lt;Company&gt;')
    expect(body).toContain('€92.00')
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(body).not.toMatch(/<script|<style|\son\w+=|\sstyle=|javascript:/)
  })

  test.each([
    ['', 'de-AT,en;q=0.5', undefined, '<html lang="de" dir="ltr"'],
    ['', 'fr, ar;q=0.3', undefined, '<html lang="ar" dir="rtl"'],
    ['', undefined, 'ar-EG', '<html lang="ar" dir="rtl"'],
    ['?locale=de', 'ar', 'ar', '<html lang="de" dir="ltr"'],
    ['?locale=xx', undefined, undefined, '<html lang="en" dir="ltr"'],
  ])(
    'speaks the language of the query %j, of the payment, of the browser %j',
    async (query, accepted, locale, wanted) => {
      const id = await opened(locale === undefined ? {} : { locale })
      const { body } = await ask('GET', `/bank/${id}${query}`, '', { 'accept-language': accepted })
      expect(body).toContain(wanted)
    },
  )

  test.each([
    ['IDEAL', 'bank'],
    ['PAYPAL', 'wallet'],
    ['OXXO', 'voucher'],
    ['KLARNA_PAYMENTS_PAYLATER', 'credit'],
  ])('of %s looks like a %s', async (brand, theme) => {
    const { body } = await ask('GET', `/bank/${await opened({ brand })}`)
    expect(body).toContain(`class="${theme}"`)
  })

  test('has a style sheet that is kept for ever under its own digest', async () => {
    const { body } = await ask('GET', `/bank/${await opened()}`)
    const path = /href="(\/bank\/assets\/style-[0-9a-f]{12}\.css)"/.exec(String(body))?.[1] ?? ''
    const style = await ask('GET', path)
    expect([style.status, style.headers['content-type']]).toEqual([200, 'text/css;charset=UTF-8'])
    expect(style.headers['cache-control']).toContain('immutable')
  })

  test('a method that is not for it is refused', async () => {
    const answer = await ask('DELETE', `/bank/${await opened()}`)
    expect([answer.status, answer.headers['allow']]).toEqual([405, 'GET, POST'])
  })
})

const nothingTold = {
  intent: 'sale',
  createAgreement: undefined,
  agreementId: undefined,
  locale: undefined,
  merchantReference: undefined,
  email: undefined,
  country: undefined,
  accountHolder: undefined,
  bankName: undefined,
  bankCountry: undefined,
  bic: undefined,
  iban: undefined,
} as const

test('the oldest payment is forgotten when there are too many', () => {
  const random = () => Buffer.from(String((drawn += 1)).padStart(16, '0'))
  const payments = createBankPayments({ now: () => nowMs }, random, () => undefined)
  const open = (reference: string): BankPayment => {
    const payment = payments.open({ ...order, brand: 'IDEAL', ...nothingTold, reference })
    if (typeof payment === 'string') throw new Error(payment)
    return payment
  }
  const first = open('first')
  for (let count = 1; count < limits.bankPaymentsMax; count += 1) open(`r${count}`)
  expect(payments.find(first.id)).toBe(first)
  open('one more')
  expect(payments.find(first.id)).toBeUndefined()
  expect(open('first')).not.toEqual(first)
})
