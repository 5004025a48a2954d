import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as elapsed } from 'node:timers/promises'
import { sandboxIds } from '@tollgate/gateway'
import {
  createThreeDSecureSimulator,
  type RunningSimulators,
  type Simulator,
  type SimulatorEnvironment,
  startSimulators,
} from '@tollgate/simulators'
import { expect } from 'vitest'
import { type Answer, type Body, bodyOf, type Request } from './http.ts'
import { manage } from './manage.ts'
import { cardPayment, type Form, post, referral } from './payments.ts'
import type { GatewayProcess } from './process.ts'
import type { Receiver } from './receiver.ts'

// A hundred requests at the same time, to all processes, each of which may complete one pending payment: the shopper
// returns, the bank or the issuer notifies, the merchant polls, and the safety call and the expiry become due.

/** A payment at the bank of these tests, which sends no notification by itself. */
interface BankPayment {
  readonly id: string
  readonly order: { readonly reference: string; readonly returnUrl: string; readonly amount: string }
  state: 'open' | 'paid' | 'cancelled'
  /** How often it was opened, and refunded. */
  opened: number
  refunds: number
}

/** Bank, issuers and shop, in the process of the test, and the requests that they received. */
export interface OtherSide {
  readonly url: string
  /** `shopperResultUrl`, and how often each address below it was called by the service. */
  readonly shopUrl: string
  readonly calls: ReadonlyMap<string, number>
  readonly bankPayments: readonly BankPayment[]
  /** The gateways that issuers notify of a result, each several times. */
  notified: readonly GatewayProcess[]
  close(): Promise<void>
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }

/** How often an issuer sends the same notification. */
const NOTIFICATIONS = 10

export async function startOtherSide(): Promise<OtherSide> {
  const calls = new Map<string, number>()
  const bankPayments: BankPayment[] = []
  const shop = createServer(({ url = '' }, response) => {
    calls.set(url, (calls.get(url) ?? 0) + 1)
    response.end()
  })
  const shopUrl = await listening(shop)
  const notifyGateways = async (_url: string, body: string): Promise<string | undefined> => {
    const sending = Array.from({ length: NOTIFICATIONS }, (_, index) => {
      const request = { method: 'POST', path: '/pages/authentications/results', headers: JSON_TYPE, body }
      return gatewayOf(other.notified, index).client.send(request)
    })
    return (await Promise.all(sending)).find(({ status }) => status === 200)?.text
  }
  const running: RunningSimulators = await startSimulators({
    host: '127.0.0.1',
    port: 0,
    create: (environment) => [
      bankOf(environment, bankPayments),
      createThreeDSecureSimulator(environment, notifyGateways),
    ],
  })
  const other: OtherSide = {
    url: running.url,
    shopUrl,
    calls,
    bankPayments,
    notified: [],
    async close() {
      shop.closeAllConnections()
      shop.close()
      await running.close()
    },
  }
  return other
}

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port }: AddressInfo = Object(server.address())
  return `http://127.0.0.1:${port}/done`
}

function bankOf(environment: SimulatorEnvironment, payments: BankPayment[]): Simulator {
  const view = ({ id, order, state }: BankPayment) => ({
    ...order,
    id,
    state,
    redirectUrl: `${environment.url}/bank/${id}`,
  })

  function open(order: BankPayment['order']) {
    const known = payments.find((payment) => payment.order.reference === order.reference)
    const payment: BankPayment = known ?? { id: `b${payments.length}`, order, state: 'open', opened: 0, refunds: 0 }
    payment.opened += 1
    if (!known) payments.push(payment)
    return view(payment)
  }

  return {
    register(server) {
      const find = ({ params }: { params: { id: string } }) => payments.find(({ id }) => id === params.id)
      server.post<{ Body: string }>('/bank/payments', async ({ body }, reply) =>
        reply.code(201).send(open(JSON.parse(body))),
      )
      server.get<{ Params: { id: string } }>('/bank/payments/:id', async (request, reply) => {
        const payment = find(request)
        return payment ? reply.send(view(payment)) : reply.code(404).send()
      })
      server.post<{ Params: { id: string } }>('/bank/payments/:id/refunds', async (request, reply) => {
        const payment = find(request)
        if (!payment) return reply.code(404).send()
        payment.refunds += 1
        return reply.code(201).send(view(payment))
      })
    },
    advance: async () => undefined,
  }
}

/** The state of a payment before the requests, and its possible outcomes. */
interface Kind {
  readonly how: 'bank' | 'issuer'
  /** The shopper's choice at the bank; `meanwhile`: pays during the requests. */
  readonly shopper: 'paid' | 'cancelled' | 'away' | 'meanwhile' | 'answers'
  /** Final codes: all answers have the same one of them, unless they are a row of an `order`. */
  readonly ends: readonly string[]
  /** Two final codes, one after the other: a late approval after the expiry. */
  readonly order?: readonly [first: string, then: string]
}

export const kinds = {
  paid: { how: 'bank', shopper: 'paid', ends: ['000.100.110'] },
  cancelled: { how: 'bank', shopper: 'cancelled', ends: ['100.396.101'] },
  away: { how: 'bank', shopper: 'away', ends: ['100.396.103'] },
  meanwhile: {
    how: 'bank',
    shopper: 'meanwhile',
    ends: ['000.100.110', '000.600.000'],
    order: ['100.396.103', '000.600.000'],
  },
  authenticated: { how: 'issuer', shopper: 'answers', ends: ['000.100.110', '100.380.501'] },
} as const satisfies Record<string, Kind>

export type KindName = keyof typeof kinds

export const kindNames: readonly KindName[] = ['authenticated', 'meanwhile', 'paid', 'cancelled', 'away']

/** A pending payment. */
interface Pending {
  readonly id: string
  readonly checkoutId: string
  readonly redirectUrl: string
}

const isFinal = (code: string): boolean => !/^(?:000\.200|800\.400\.5)/.test(code)

/** The gateways, their counterparts, and the receiver of their events. */
export interface Surroundings {
  /** One, or several on one database. */
  readonly gateways: readonly GatewayProcess[]
  readonly other: OtherSide
  /** A webhook of the sandbox's channel. */
  readonly receiver: Receiver
}

/** The result of a round. */
export interface Ended {
  readonly paymentId: string
  readonly final: string
  /** Whether it had expired before it was approved. */
  readonly wasExpired: boolean
  readonly finalisers: number
}

/**
 * Sends a hundred requests that may complete one pending payment. All answers agree with its final state; it was paid
 * once, and can be refunded once.
 */
export async function endAtOnce(surroundings: Surroundings, name: KindName): Promise<Ended> {
  const { gateways, other } = surroundings
  const kind: Kind = kinds[name]
  const observed: Observed[] = []
  const pending = await begin(surroundings, kind)
  const finalisers = kind.how === 'bank' ? fromBank(other, kind) : await fromIssuer(gateways, pending)
  const all = shuffled([...finalisers, ...fromAnywhere(gateways, pending, observed, 100 - finalisers.length)])
  const turn = async (finalise: Finaliser, index: number) => finalise(gatewayOf(gateways, index))
  await Promise.all(all.map(turn))
  await untilFinal(gateways, pending)
  const answers = await Promise.all(gateways.map((each) => each.get(pending.id)))
  const codes = new Set(answers.map((answer) => bodyOf(answer).result.code))
  const [final = ''] = codes
  expect(codes.size, 'all processes say the same').toBe(1)
  expect(kind.ends).toContain(final)
  const finals = new Set(observed.map(({ code }) => code).filter(isFinal))
  const wasExpired = kind.order !== undefined && kind.order[1] === final
  const allowed = wasExpired ? kind.order : [final]
  expect(
    [...finals].filter((code) => !allowed.includes(code)),
    `no answer has another code than ${allowed.join()}`,
  ).toEqual([])
  if (!wasExpired) expectNoWayBack(observed)
  await expectTakenOnce(surroundings, pending, kind, final)
  return { paymentId: pending.id, final, wasExpired, finalisers: all.length }
}

/** A job that one process leased before the other's clock moved is done shortly after; then the clock moves on. */
async function untilFinal(gateways: readonly GatewayProcess[], { id }: Pending): Promise<void> {
  const gateway = gatewayOf(gateways, 0)
  for (let tries = 0; tries < 20 && !isFinal(bodyOf(await gateway.get(id)).result.code); tries += 1) {
    await elapsed(250)
    await manage(gateway, 'POST', '/clock', { advance: 'PT31M' })
  }
}

/** An answer with the times of its request and its arrival. */
interface Observed {
  readonly requestedAt: number
  readonly answeredAt: number
  readonly code: string
}

/** A request after the first final answer gets a final answer. */
function expectNoWayBack(observed: readonly Observed[]): void {
  const since = Math.min(...observed.filter(({ code }) => isFinal(code)).map(({ answeredAt }) => answeredAt))
  const back = observed.filter(({ requestedAt, code }) => requestedAt > since && !isFinal(code))
  expect(back, 'pending after the end').toEqual([])
}

type Finaliser = (gateway: GatewayProcess) => Promise<unknown>

const gatewayOf = (gateways: readonly GatewayProcess[], index: number): GatewayProcess => {
  const gateway = gateways[index % gateways.length]
  if (!gateway) throw new Error('there is a gateway')
  return gateway
}

async function begin({ gateways, other }: Surroundings, { how }: Kind): Promise<Pending> {
  const gateway = gatewayOf(gateways, other.bankPayments.length)
  const prepared = { amount: '92.00', currency: 'EUR', paymentType: 'DB', shopperResultUrl: other.shopUrl }
  const checkout = await sent(gateway, post('/v1/checkouts', { entityId: sandboxIds.channel, ...prepared }))
  const form: Form = how === 'bank' ? { paymentBrand: 'PAYPAL' } : challengedCard()
  const body = await sent(gateway, {
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

const sent = async (gateway: GatewayProcess, request: Request): Promise<Body> =>
  bodyOf(await gateway.client.send(request))

/** For a shopper at the bank: the browser returns and the bank notifies, thirty times each. */
function fromBank(other: OtherSide, { shopper }: Kind): readonly Finaliser[] {
  const payment = other.bankPayments.at(-1)
  if (!payment) throw new Error('the bank has no payment')
  if (shopper === 'paid' || shopper === 'cancelled') payment.state = shopper
  const { pathname: path } = new URL(payment.order.returnUrl)
  const comeBack: Finaliser = ({ client }) => client.send({ method: 'GET', path })
  const notify: Finaliser = ({ client }) =>
    client.send({ method: 'POST', path: path.replace('/return/', '/notify/'), headers: JSON_TYPE, body: '{}' })
  const pay: Finaliser = async (gateway) => {
    payment.state = 'paid'
    await notify(gateway)
  }
  return [...times(30, comeBack), ...times(29, notify), shopper === 'meanwhile' ? pay : notify]
}

/** At the password prompt: the shopper answers while the browser has already returned, and starts again. */
async function fromIssuer(gateways: readonly GatewayProcess[], pending: Pending): Promise<readonly Finaliser[]> {
  const { pathname: page } = new URL(pending.redirectUrl)
  const begun: Request = {
    method: 'POST',
    path: `${page}/begin`,
    headers: JSON_TYPE,
    body: JSON.stringify({ looked: 'Y', parameters: { 'customer.browser.language': 'de' } }),
  }
  const answer = await gatewayOf(gateways, 0).client.send(begun)
  const step: { readonly url: string; readonly creq: string } = JSON.parse(answer.text)
  const shown = await submit(step.url, { creq: step.creq })
  const acsTransID = /name="acsTransID"[^>]*value="([^"]*)"/.exec(shown)?.[1] ?? ''
  const answers: Finaliser = () => submit(step.url.replace('/challenge', '/answer'), { acsTransID, password: '1234' })
  const comeBack: Finaliser = ({ client }) =>
    client.send({ method: 'POST', path: `${page}/result`, headers: FORM_TYPE, body: 'cres=e30' })
  const beginAgain: Finaliser = ({ client }) => client.send(begun)
  return [answers, ...times(45, comeBack), ...times(10, beginAgain)]
}

async function submit(url: string, fields: Readonly<Record<string, string>>): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    headers: FORM_TYPE,
    body: new URLSearchParams(fields).toString(),
  })
  return response.text()
}

/** Polls, status reads of the checkout, and the clock that passes 29 and then 30 minutes. */
function fromAnywhere(
  gateways: readonly GatewayProcess[],
  { id, checkoutId }: Pending,
  observed: Observed[],
  count: number,
): readonly Finaliser[] {
  const noted = async (asking: () => Promise<Answer>): Promise<void> => {
    const requestedAt = performance.now()
    const body = bodyOf(await asking())
    // A status that is read too often or too late is not about the payment.
    if (body.id === id) observed.push({ requestedAt, answeredAt: performance.now(), code: body.result.code })
  }
  const poll: Finaliser = async (gateway) => {
    for (let round = 0; round < 2; round += 1) await noted(() => gateway.get(id))
  }
  const readStatus: Finaliser = ({ client }) =>
    noted(() => client.send({ ...statusOf(checkoutId), headers: post('', {}).headers ?? {} }))
  const moveClocks: readonly Finaliser[] = gateways.map(
    (gateway) => () => manage(gateway, 'POST', '/clock', { advance: 'PT31M' }),
  )
  return [...moveClocks, readStatus, readStatus, ...times(count - moveClocks.length - 2, poll)]
}

const statusOf = (checkoutId: string): Request => ({
  method: 'GET',
  path: `/v1/checkouts/${checkoutId}/payment?entityId=${sandboxIds.channel}`,
})

const times = (count: number, finaliser: Finaliser): readonly Finaliser[] =>
  Array.from({ length: count }, () => finaliser)

function shuffled<T>(items: readonly T[]): readonly T[] {
  const drawn = items.map((item) => ({ item, at: Math.random() }))
  return drawn.toSorted((a, b) => a.at - b.at).map(({ item }) => item)
}

/** An approved payment can be refunded once, as a whole; any other cannot be refunded. */
async function expectTakenOnce(surroundings: Surroundings, { id }: Pending, kind: Kind, final: string): Promise<void> {
  const { gateways, other } = surroundings
  const atBank = kind.how === 'bank' ? other.bankPayments.at(-1) : undefined
  if (atBank) expect(atBank.opened, 'the bank was sent one order').toBe(1)
  const refund = async (index: number) =>
    (await sent(gatewayOf(gateways, index), post(`/v1/payments/${id}`, referral('RF')))).result.code
  const isApproved = final.startsWith('000.')
  const first = await refund(0)
  expect(first, 'an approved payment can be refunded').toMatch(isApproved ? /^000\.100\.110$/ : /^700\.[34]00\./)
  if (isApproved) expect(await refund(1), 'it can be refunded once').toMatch(/^700\.[34]00\./)
  if (atBank) expect(atBank.refunds).toBe(isApproved ? 1 : 0)
}

/** Each payment had one event with a final code, two if it had expired first; no safety call was made twice. */
export async function expectOneEventEach(surroundings: Surroundings, ended: readonly Ended[]): Promise<void> {
  const { receiver, other } = surroundings
  const finals = () => finalsOf(receiver)
  const expected = new Map(ended.map(({ paymentId, wasExpired }) => [paymentId, wasExpired ? 2 : 1]))
  await expect.poll(() => [...expected.keys()].every((id) => finals().has(id)), { timeout: 20_000 }).toBe(true)
  for (const { paymentId, final, wasExpired } of ended) {
    const codes = finals().get(paymentId) ?? []
    expect(codes.toSorted()).toEqual((wasExpired ? ['100.396.103', final] : [final]).toSorted())
  }
  expect([...other.calls].filter(([, count]) => count > 1)).toEqual([])
}

/** The final codes in the events of each payment, by its id. */
function finalsOf({ taken }: Receiver): ReadonlyMap<string, readonly string[]> {
  const finals = new Map<string, string[]>()
  for (const { text } of taken.values()) {
    const { payload }: { readonly payload: Body } = JSON.parse(text)
    const { code } = payload.result
    if (payload['paymentType'] === 'RF' || !isFinal(code)) continue
    finals.set(payload.id, [...(finals.get(payload.id) ?? []), code])
  }
  return finals
}

/** The number of rounds, of one kind after the other: two hundred in a long run. */
export const roundCount = (usually: number): number => (process.env['TOLLGATE_TEST_LONG'] === '1' ? 200 : usually)
