import { setTimeout as delay } from 'node:timers/promises'
import { sandboxIds } from '@tollgate/gateway'
import { expect } from 'vitest'
import { type Counterparties, gatewayOf, JSON_TYPE } from './counterparties.ts'
import { type Answer, type Body, bodyOf, type Request } from './http.ts'
import { manage } from './manage.ts'
import { cardPayment, type Form, post, followUpForm } from './payments.ts'
import type { GatewayProcess } from './process.ts'
import type { Receiver } from './receiver.ts'

// A hundred concurrent requests to all processes, each of which may complete one pending payment: returns, reads,
// notifications of the bank or an answer to the issuer, and advances of the clock past the safety call and the expiry.

const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }

/** The state of a payment before the requests, and its possible results. */
interface Case {
  readonly party: 'bank' | 'issuer'
  /**
   * The shopper's choice. paid, cancelled: at the bank, before the requests. paysConcurrently: at the bank, during the
   * requests. answers: at the issuer, during the requests. inactive: none.
   */
  readonly shopper: 'paid' | 'cancelled' | 'inactive' | 'paysConcurrently' | 'answers'
  /** The possible final codes. All final answers have the same one, except answers before a late approval. */
  readonly finalCodes: readonly string[]
  /** The final codes of a late approval: first of the expiry, then of the approval. */
  readonly lateApproval?: readonly [first: string, then: string]
}

export const cases = {
  paid: { party: 'bank', shopper: 'paid', finalCodes: ['000.100.110'] },
  cancelled: { party: 'bank', shopper: 'cancelled', finalCodes: ['100.396.101'] },
  abandoned: { party: 'bank', shopper: 'inactive', finalCodes: ['100.396.103'] },
  paidConcurrently: {
    party: 'bank',
    shopper: 'paysConcurrently',
    finalCodes: ['000.100.110', '000.600.000'],
    lateApproval: ['100.396.103', '000.600.000'],
  },
  authenticated: { party: 'issuer', shopper: 'answers', finalCodes: ['000.100.110', '100.380.501'] },
} as const satisfies Record<string, Case>

export type CaseName = keyof typeof cases

export const caseNames: readonly CaseName[] = ['authenticated', 'paidConcurrently', 'paid', 'cancelled', 'abandoned']

/** A pending payment. */
interface Pending {
  readonly id: string
  readonly checkoutId: string
  readonly redirectUrl: string
}

const isFinal = (code: string): boolean => !/^(?:000\.200|800\.400\.5)/.test(code)

/** The gateways, their counterparties, and the receiver of their events. */
export interface TestSetup {
  /** One, or several on one database. */
  readonly gateways: readonly GatewayProcess[]
  readonly counterparties: Counterparties
  /** A webhook of the sandbox's channel. */
  readonly receiver: Receiver
}

/** The result of a round. */
export interface CompletionResult {
  readonly paymentId: string
  readonly final: string
  /** Whether the payment had expired before it was approved. */
  readonly wasExpired: boolean
  readonly requestCount: number
}

/**
 * Sends a hundred requests that may complete one pending payment. Expects that all answers agree with its final state,
 * and that an approved payment was paid once and can be refunded once.
 */
export async function completeConcurrently(setup: TestSetup, name: CaseName): Promise<CompletionResult> {
  const { gateways, counterparties } = setup
  const testCase: Case = cases[name]
  const observed: Observed[] = []
  const pending = await begin(setup, testCase)
  const requests =
    testCase.party === 'bank' ? requestsAtBank(counterparties, testCase) : await requestsAtIssuer(gateways, pending)
  const all = shuffled([...requests, ...otherRequests(gateways, pending, observed, 100 - requests.length)])
  await Promise.all(all.map(async (request, index) => request(gatewayOf(gateways, index))))
  await untilFinal(gateways, pending)
  const answers = await Promise.all(gateways.map((gateway) => gateway.get(pending.id)))
  const codes = new Set(answers.map((answer) => bodyOf(answer).result.code))
  const [final = ''] = codes
  expect(codes.size, 'all processes have the same result').toBe(1)
  expect(testCase.finalCodes).toContain(final)
  const finals = new Set(observed.map(({ code }) => code).filter(isFinal))
  const wasExpired = testCase.lateApproval !== undefined && testCase.lateApproval[1] === final
  const allowed = wasExpired ? testCase.lateApproval : [final]
  expect(
    [...finals].filter((code) => !allowed.includes(code)),
    `no final answer has another code than ${allowed.join()}`,
  ).toEqual([])
  if (!wasExpired) expectFinalOnly(observed)
  await expectChargedOnce(setup, pending, testCase, final)
  return { paymentId: pending.id, final, wasExpired, requestCount: all.length }
}

/**
 * Moves the clock again until the payment is final, because a process may have leased its job before the clock of
 * another process moved.
 */
async function untilFinal(gateways: readonly GatewayProcess[], { id }: Pending): Promise<void> {
  const gateway = gatewayOf(gateways, 0)
  for (let tries = 0; tries < 20 && !isFinal(bodyOf(await gateway.get(id)).result.code); tries += 1) {
    await delay(250)
    await manage(gateway, 'POST', '/clock', { advance: 'PT31M' })
  }
}

/** An answer with the times of its request and its arrival. */
interface Observed {
  readonly requestedAt: number
  readonly answeredAt: number
  readonly code: string
}

/** Expects a final answer to each request that was sent after the first final answer. */
function expectFinalOnly(observed: readonly Observed[]): void {
  const firstFinalAt = Math.min(...observed.filter(({ code }) => isFinal(code)).map(({ answeredAt }) => answeredAt))
  const pendingAgain = observed.filter(({ requestedAt, code }) => requestedAt > firstFinalAt && !isFinal(code))
  expect(pendingAgain, 'no answer is pending after a final answer').toEqual([])
}

type CompletionRequest = (gateway: GatewayProcess) => Promise<unknown>

async function begin({ gateways, counterparties }: TestSetup, { party }: Case): Promise<Pending> {
  const gateway = gatewayOf(gateways, counterparties.bankPayments.length)
  const checkoutForm = { amount: '92.00', currency: 'EUR', paymentType: 'DB', shopperResultUrl: counterparties.shopUrl }
  const checkout = await bodyOfAnswer(gateway, post('/v1/checkouts', { entityId: sandboxIds.channel, ...checkoutForm }))
  const form: Form = party === 'bank' ? { paymentBrand: 'PAYPAL' } : challengedCard()
  const body = await bodyOfAnswer(gateway, {
    method: 'POST',
    path: `/v1/checkouts/${checkout.id}/payment`,
    headers: FORM_TYPE,
    body: new URLSearchParams(form).toString(),
  })
  expect(body.result.code).toBe('000.200.000')
  const { url }: { readonly url: string } = Object(body['redirect'])
  return { id: body.id, checkoutId: checkout.id, redirectUrl: url }
}

function challengedCard(): Form {
  const { entityId: _, amount: _amount, currency: _currency, paymentType: _type, ...card } = cardPayment()
  return { ...card, 'card.number': '4200000000000042' }
}

const bodyOfAnswer = async (gateway: GatewayProcess, request: Request): Promise<Body> =>
  bodyOf(await gateway.client.send(request))

/** The requests while the shopper is at the bank: thirty returns of the browser, and thirty notifications. */
function requestsAtBank(counterparties: Counterparties, { shopper }: Case): readonly CompletionRequest[] {
  const payment = counterparties.bankPayments.at(-1)
  if (!payment) throw new Error('the bank received no payment')
  if (shopper === 'paid' || shopper === 'cancelled') payment.state = shopper
  const { pathname: path } = new URL(payment.order.returnUrl)
  const returnToGateway: CompletionRequest = ({ client }) => client.send({ method: 'GET', path })
  const notify: CompletionRequest = ({ client }) =>
    client.send({ method: 'POST', path: path.replace('/return/', '/notify/'), headers: JSON_TYPE, body: '{}' })
  const pay: CompletionRequest = async (gateway) => {
    payment.state = 'paid'
    await notify(gateway)
  }
  return [...repeat(30, returnToGateway), ...repeat(29, notify), shopper === 'paysConcurrently' ? pay : notify]
}

/** The requests while the page of the issuer is open: the answer, returns of the browser, and repeated starts. */
async function requestsAtIssuer(
  gateways: readonly GatewayProcess[],
  pending: Pending,
): Promise<readonly CompletionRequest[]> {
  const { pathname: page } = new URL(pending.redirectUrl)
  const beginRequest: Request = {
    method: 'POST',
    path: `${page}/begin`,
    headers: JSON_TYPE,
    body: JSON.stringify({ looked: 'Y', parameters: { 'customer.browser.language': 'de' } }),
  }
  const answer = await gatewayOf(gateways, 0).client.send(beginRequest)
  const step: { readonly url: string; readonly creq: string } = JSON.parse(answer.text)
  const challengePage = await submit(step.url, { creq: step.creq })
  const acsTransID = /name="acsTransID"[^>]*value="([^"]*)"/.exec(challengePage)?.[1] ?? ''
  const answerChallenge: CompletionRequest = () =>
    submit(step.url.replace('/challenge', '/answer'), { acsTransID, password: '1234' })
  const returnToGateway: CompletionRequest = ({ client }) =>
    client.send({ method: 'POST', path: `${page}/result`, headers: FORM_TYPE, body: 'cres=e30' })
  const beginAgain: CompletionRequest = ({ client }) => client.send(beginRequest)
  return [answerChallenge, ...repeat(45, returnToGateway), ...repeat(10, beginAgain)]
}

async function submit(url: string, fields: Readonly<Record<string, string>>): Promise<string> {
  const body = new URLSearchParams(fields).toString()
  return (await fetch(url, { method: 'POST', headers: FORM_TYPE, body })).text()
}

/** Reads of the payment, reads of the checkout's status, and an advance of each clock past 30 minutes. */
function otherRequests(
  gateways: readonly GatewayProcess[],
  { id, checkoutId }: Pending,
  observed: Observed[],
  count: number,
): readonly CompletionRequest[] {
  const record = async (send: () => Promise<Answer>): Promise<void> => {
    const requestedAt = performance.now()
    const body = bodyOf(await send())
    // The answer to a read of the status is an error without the payment's id if it is read too often or too late.
    if (body.id === id) observed.push({ requestedAt, answeredAt: performance.now(), code: body.result.code })
  }
  const poll: CompletionRequest = async (gateway) => {
    for (let round = 0; round < 2; round += 1) await record(() => gateway.get(id))
  }
  const readStatus: CompletionRequest = ({ client }) =>
    record(() => client.send({ ...statusRequest(checkoutId), headers: post('', {}).headers ?? {} }))
  const moveClocks: readonly CompletionRequest[] = gateways.map(
    (gateway) => () => manage(gateway, 'POST', '/clock', { advance: 'PT31M' }),
  )
  return [...moveClocks, readStatus, readStatus, ...repeat(count - moveClocks.length - 2, poll)]
}

const statusRequest = (checkoutId: string): Request => ({
  method: 'GET',
  path: `/v1/checkouts/${checkoutId}/payment?entityId=${sandboxIds.channel}`,
})

const repeat = (count: number, request: CompletionRequest): readonly CompletionRequest[] =>
  Array.from({ length: count }, () => request)

function shuffled<T>(items: readonly T[]): readonly T[] {
  const drawn = items.map((item) => ({ item, order: Math.random() }))
  return drawn.toSorted((a, b) => a.order - b.order).map(({ item }) => item)
}

/**
 * Expects that the bank got one order, and that an approved payment can be refunded once, as a whole, and any other
 * payment not at all.
 */
async function expectChargedOnce(setup: TestSetup, { id }: Pending, testCase: Case, final: string): Promise<void> {
  const { gateways, counterparties } = setup
  const bankPayment = testCase.party === 'bank' ? counterparties.bankPayments.at(-1) : undefined
  if (bankPayment) expect(bankPayment.opened, 'the bank got one order').toBe(1)
  const refund = async (index: number) =>
    (await bodyOfAnswer(gatewayOf(gateways, index), post(`/v1/payments/${id}`, followUpForm('RF')))).result.code
  const isApproved = final.startsWith('000.')
  const first = await refund(0)
  expect(first, 'only an approved payment can be refunded').toMatch(isApproved ? /^000\.100\.110$/ : /^700\.[34]00\./)
  if (isApproved) expect(await refund(1), 'an approved payment can be refunded once').toMatch(/^700\.[34]00\./)
  if (bankPayment) expect(bankPayment.refunds).toBe(isApproved ? 1 : 0)
}

/** Expects one event with a final code per payment, two after a late approval, and no repeated call of the shop. */
export async function expectOneEventPerPayment(setup: TestSetup, results: readonly CompletionResult[]): Promise<void> {
  const { receiver, counterparties } = setup
  const finals = () => finalsOf(receiver)
  const expected = new Map(results.map(({ paymentId, wasExpired }) => [paymentId, wasExpired ? 2 : 1]))
  await expect.poll(() => [...expected.keys()].every((id) => finals().has(id)), { timeout: 20_000 }).toBe(true)
  for (const { paymentId, final, wasExpired } of results) {
    const codes = finals().get(paymentId) ?? []
    expect(codes.toSorted()).toEqual((wasExpired ? ['100.396.103', final] : [final]).toSorted())
  }
  expect([...counterparties.shopRequests].filter(([, count]) => count > 1)).toEqual([])
}

/** The final codes in the events of each payment, by its id. */
function finalsOf({ received }: Receiver): ReadonlyMap<string, readonly string[]> {
  const finals = new Map<string, string[]>()
  for (const { text } of received.values()) {
    const { payload }: { readonly payload: Body } = JSON.parse(text)
    const { code } = payload.result
    if (payload['paymentType'] === 'RF' || !isFinal(code)) continue
    finals.set(payload.id, [...(finals.get(payload.id) ?? []), code])
  }
  return finals
}

/** The number of rounds: two hundred in a long run. */
export const roundCount = (shortRun: number): number => (process.env['TOLLGATE_TEST_LONG'] === '1' ? 200 : shortRun)
