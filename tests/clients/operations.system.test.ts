import { outcomeOf, resultCodes, isResultCode, type ResultCode } from '@tollgate/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cleanUp } from '../support/process.ts'
import { bodyOf, inParallel } from '../support/http.ts'
import { cardPayment, followUpForm, type Form, post } from '../support/payments.ts'
import { gatewayKinds, type PublicGateway, startPublicGateway } from '../support/public-gateways.ts'
import { subscribeReceiver } from '../support/receiver.ts'

// Every operation on payments and registrations by the public API, on a gateway alone and on one behind another.

/** A request after the first one. */
interface Step {
  /** The position of the request to which it refers; by default the first. */
  readonly of?: number
  readonly form: Form
  /** Status and code. */
  readonly outcome: string
}

const APPROVED = '200 000.100.110'
const step = (paymentType: string, amount: string | undefined, more: Form = {}, outcome = APPROVED): Step => ({
  form: { paymentType, ...(amount !== undefined && { amount, currency: 'EUR' }), ...more },
  outcome,
})
const of = (position: number, request: Step): Step => ({ ...request, of: position })

const FINAL = { sequence: 'FINAL' }
const INCREMENT = { 'standingInstruction.industryPractice': 'INCREMENTAL_AUTH' }
const initial = (type: string, source: string): Form => ({
  createRegistration: 'true',
  'standingInstruction.mode': 'INITIAL',
  'standingInstruction.type': type,
  'standingInstruction.source': source,
})
const repeated = (type: string, source: string): Form => ({
  'standingInstruction.mode': 'REPEATED',
  'standingInstruction.type': type,
  'standingInstruction.source': source,
})

/** Operations in the order in which they are sent: the first is a payment of 92.00 by card. */
const flows: readonly (readonly [title: string, first: Form, ...next: readonly Step[]])[] = [
  ['DB', { paymentType: 'DB' }],
  ['CD', { paymentType: 'CD' }],
  ['DB, RV', { paymentType: 'DB' }, step('RV', undefined), step('RV', undefined, {}, '400 700.300.300')],
  [
    'DB, RF in parts',
    { paymentType: 'DB' },
    step('RF', '30.00'),
    step('RF', '62.00'),
    step('RF', '0.01', {}, '400 700.400.200'),
  ],
  [
    'PA, CP in parts until FINAL, RF of each',
    { paymentType: 'PA' },
    step('CP', '42.00'),
    step('CP', '10.00', FINAL),
    step('CP', '1.00', {}, '400 700.300.300'),
    of(1, step('RF', '12.00')),
    of(2, step('RF', '10.00')),
  ],
  ['PA, CP of too much', { paymentType: 'PA' }, step('CP', '92.01', {}, '400 700.400.100')],
  ['PA, CP, RV of the capture', { paymentType: 'PA' }, step('CP', '92.00'), of(1, step('RV', undefined))],
  ['PA, increase, CP of all', { paymentType: 'PA' }, step('PA', '8.00', INCREMENT), step('CP', '100.00')],
  ['PA, RV of a part, RV of the rest', { paymentType: 'PA' }, step('RV', '30.00'), step('RV', undefined)],
  ['DB, RB, RF of the rebill', { paymentType: 'DB' }, step('RB', '10.00'), of(1, step('RF', '10.00'))],
]

/** Charges of a registration under an agreement with the shopper. */
const agreements: readonly (readonly [title: string, first: Form, charge: Form])[] = [
  ['one click by the shopper', initial('UNSCHEDULED', 'CIT'), repeated('UNSCHEDULED', 'CIT')],
  ['unscheduled by the merchant', initial('UNSCHEDULED', 'CIT'), repeated('UNSCHEDULED', 'MIT')],
  ['recurring by the merchant', initial('RECURRING', 'CIT'), repeated('RECURRING', 'MIT')],
]

/**
 * A forced result that does not reject behind another gateway: the other gateway does not know the outcome, so that it
 * is looked up there, and the payment is pending or reversed.
 */
const UNCERTAIN = '900.100.300'

/** The first rejection of each group of codes with the same beginning, such as 800.100. */
const declines: readonly ResultCode[] = Object.values(
  Object.fromEntries(
    Object.keys(resultCodes)
      .filter(isResultCode)
      .filter((code) => outcomeOf(code) === 'rejected' && code !== UNCERTAIN)
      .toReversed()
      .map((code) => [code.slice(0, 7), code]),
  ),
)

let running: PublicGateway
const send = async (path: string, form: Form, headers: Form = {}) => {
  const answer = await running.gateway.client.send(post(path, form, headers))
  const body = bodyOf(answer)
  return { ...answer, body, outcome: `${answer.status} ${body.result.code}` }
}
const pay = (changes: Form = {}) => send('/v1/payments', cardPayment(changes))

describe.each(gatewayKinds)('a gateway %s', (kind) => {
  beforeAll(async () => {
    running = await startPublicGateway(kind)
  })
  afterAll(cleanUp)

  test.each(flows.map(([title, first, ...next]) => ({ title, first, next })))('$title', async ({ first, next }) => {
    const answers = [await pay(first)]
    for (const { of: position = 0, form } of next) {
      const { amount: _amount, currency: _currency, ...required } = followUpForm('')
      answers.push(await send(`/v1/payments/${answers[position]?.body.id}`, { ...required, ...form }))
    }
    expect(answers.map(({ outcome }) => outcome)).toEqual([APPROVED, ...next.map(({ outcome }) => outcome)])
    const read = await running.gateway.get(answers[0]?.body.id ?? '')
    expect(bodyOf(read).result.code).toBe('000.100.110')
  })

  test.each(agreements)('a stored card is charged: %s', async (_, first, charge) => {
    const { body, outcome } = await pay(first)
    const { registrationId }: { registrationId?: string } = Object(body)
    const form = followUpForm('DB', { amount: '10.00', ...charge })
    const charged = await send(`/v1/registrations/${registrationId}/payments`, form)
    const refunded = await send(`/v1/payments/${charged.body.id}`, followUpForm('RF', { amount: '10.00' }))
    expect([outcome, charged.outcome, refunded.outcome]).toEqual([APPROVED, APPROVED, APPROVED])
  })

  test('declines keep their code', async () => {
    const codes: Record<string, string> = {}
    await inParallel(declines, 8, async (code) => {
      codes[code] = (await pay({ 'customParameters[forceResultCode]': code })).body.result.code
    })
    expect(codes).toEqual(Object.fromEntries(declines.map((code) => [code, code])))
  })

  test('a repeated request gets the stored answer, and is processed once', async () => {
    const key = { 'idempotency-key': 'operations-repeated' }
    const repeat = () => send('/v1/payments', cardPayment(), key)
    const answers = [await repeat(), await repeat(), await repeat()]
    expect(answers.map(({ outcome }) => outcome)).toEqual(answers.map(() => APPROVED))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  })

  test('the merchant gets the events of a payment', async () => {
    const receiver = await subscribeReceiver(running.gateway)
    const { body } = await pay({ paymentType: 'PA' })
    const captured = await send(`/v1/payments/${body.id}`, followUpForm('CP'))
    const idsOf = () => [...receiver.received.values()].map(({ text }) => JSON.parse(text).payload.id)
    await expect.poll(idsOf).toEqual(expect.arrayContaining([body.id, captured.body.id]))
    await receiver.close()
  })
})
