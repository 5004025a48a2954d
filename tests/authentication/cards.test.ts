import { randomBytes } from 'node:crypto'
import { type ThreeDSecureCard, threeDSecureCards } from '@tollgate/connectors'
import { sandboxIds, sandboxToken } from '@tollgate/gateway'
import { type Parameters, testGateway, type TestGateway } from '@tollgate/gateway/testing'
import { createThreeDSecureSimulator } from '@tollgate/simulators'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const ISSUERS = 'https://issuers.example'
const GATEWAY = 'https://pay.example'
const shop = 'https://shop.example/done'
const MINUTE_MS = 60_000

let tollgate: TestGateway
/** Results requests that never arrive. */
let isDeaf = false

const issuers = createThreeDSecureSimulator({
  url: ISSUERS,
  clock: { now: () => tollgate.gateway.clock.now() },
  random: randomBytes,
  async post(url, body) {
    if (isDeaf) return undefined
    const reply = await tollgate.server.inject({
      method: 'POST',
      url: new URL(url).pathname,
      headers: { 'content-type': 'application/json' },
      payload: Buffer.from(body),
    })
    return reply.statusCode === 200 ? reply.body : undefined
  },
})

const send = (path: string, body: Uint8Array | string, type = 'application/json') =>
  issuers.handle({ method: 'POST', path, query: '', headers: { 'content-type': type }, body: Buffer.from(body) })

beforeAll(async () => {
  const directoryServer = { ask: async (message: Uint8Array) => Buffer.from((await send('/ds', message)).body) }
  tollgate = await testGateway({ directoryServer, env: { TOLLGATE_PUBLIC_URL: GATEWAY } })
})
afterAll(() => tollgate.close())

const pay = (number: string, changes: Parameters = {}) =>
  tollgate.send('POST', '/v1/payments', {
    entityId: sandboxIds.channel,
    amount: '92.00',
    currency: 'EUR',
    paymentType: 'PA',
    'card.number': number,
    'card.holder': 'Jane Jones',
    'card.expiryMonth': '05',
    'card.expiryYear': '2034',
    shopperResultUrl: shop,
    ...changes,
  })

const read = (id: string) =>
  tollgate.request({
    method: 'GET',
    url: `/v1/payments/${id}`,
    headers: { authorization: `Bearer ${sandboxToken}` },
  })

const browser = {
  'customer.browser.language': 'de',
  'customer.browser.screenHeight': '900',
  'customer.browser.screenWidth': '1440',
  'customer.browser.timezone': '-60',
  'customer.browser.userAgent': 'Mozilla/5.0',
  'customer.browser.javaEnabled': 'false',
  'customer.browser.screenColorDepth': '24',
}

const post = (path: string, payload: string, type: string) =>
  tollgate.server.inject({ method: 'POST', url: path, headers: { 'content-type': type }, payload })

/** The page has been loaded, and the issuer has looked: what it is told to do next. */
async function begin(page: string): Promise<{ next: string; url: string; creq?: string }> {
  expect((await tollgate.server.inject({ method: 'GET', url: page })).statusCode).toBe(200)
  const reply = await post(`${page}/begin`, JSON.stringify({ looked: 'Y', parameters: browser }), 'application/json')
  return reply.json()
}

const FORM = 'application/x-www-form-urlencoded'
const formOf = (fields: Record<string, string>) => new URLSearchParams(fields).toString()

/** What stands in a field of a page. */
const fieldOf = (html: string, name: string): string =>
  new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(html)?.[1] ?? ''

/** The shopper answers the challenge, and his browser goes back. */
async function answer(page: string, creq: string, fields: Record<string, string>): Promise<number> {
  const shown = Buffer.from((await send('/acs/challenge', formOf({ creq }), FORM)).body).toString()
  const acsTransID = fieldOf(shown, 'acsTransID')
  const done = Buffer.from((await send('/acs/answer', formOf({ acsTransID, ...fields }), FORM)).body).toString()
  const back = await post(`${page}/result`, formOf({ cres: fieldOf(done, 'cres') }), FORM)
  return back.statusCode
}

const pageOf = (body: { redirect: { url: string } }): string => new URL(body.redirect.url).pathname

const ends: Readonly<Record<string, string>> = {
  Y: '000.100.110',
  A: '000.100.110',
  U: '000.100.110',
  N: '100.380.401',
}

const isFit = ({ number }: ThreeDSecureCard) => number.length >= 13 && number !== '6250947000000052'

describe('every card of the roster ends as its row says', () => {
  test.each(threeDSecureCards.filter(isFit))('$brand $number: $flow $transactionStatus', async (card) => {
    const pending = await pay(card.number, card.brand === 'CARTEBANCAIRE' ? { paymentBrand: card.brand } : {})
    if (card.flow === 'none') {
      expect(pending.body.result.code).toBe('000.100.110')
      return
    }
    expect(pending.body.result.code).toBe('000.200.000')
    const page = pageOf(pending.body)
    const step = await begin(page)
    if (card.flow === 'challenge') {
      expect([step.next, step.url]).toEqual(['challenge', `${ISSUERS}/acs/challenge`])
      expect(await answer(page, step.creq ?? '', { password: '1234' })).toBe(200)
    } else {
      expect(step).toEqual({ next: 'over', url: expect.stringContaining(`${shop}?id=${pending.body.id}`) })
    }
    const { body } = await read(pending.body.id)
    expect(body.result.code).toBe(card.flow === 'challenge' ? '000.100.110' : ends[card.transactionStatus ?? ''])
    const isProven = card.flow === 'challenge' || card.transactionStatus === 'Y' || card.transactionStatus === 'A'
    expect(body.threeDSecure?.verificationId?.length).toBe(isProven ? 28 : undefined)
    if (card.eci !== undefined && isProven) expect(body.threeDSecure.eci).toBe(card.eci)
  })
})

const challenged = '4200000000000042'

describe('the issuer’s look at the browser', () => {
  const cardThat = (looks: boolean) =>
    threeDSecureCards.find((card) => isFit(card) && card.flow === 'challenge' && card.methodData === looks)?.number ??
    ''

  test('can be had from the merchant’s page, by the precondition that deployed clients know', async () => {
    const { body } = await pay(cardThat(true))
    const [precondition] = body.redirect.preconditions
    expect(precondition).toEqual({
      origin: 'iframe#hidden',
      waitUntil: 'iframe#onload',
      description: 'Hidden iframe post for 3D Secure 2.0',
      method: 'POST',
      url: `${ISSUERS}/acs/method`,
      parameters: [{ name: 'threeDSMethodData', value: expect.any(String) }],
    })
    const [{ value }] = precondition.parameters
    const frame = Buffer.from((await send('/acs/method', formOf({ threeDSMethodData: value }), FORM)).body).toString()
    const [, target = ''] = /action="([^"]+)"/.exec(frame) ?? []
    expect(target).toBe(`${GATEWAY}${pageOf(body)}/looked`)
    const looked = { threeDSMethodData: fieldOf(frame, 'threeDSMethodData') }
    expect((await post(new URL(target).pathname, formOf(looked), FORM)).statusCode).toBe(200)
    // Whether he did or not, the page goes on.
    const step = await begin(pageOf(body))
    expect(await answer(pageOf(body), step.creq ?? '', { password: '1234' })).toBe(200)
    const { body: paid } = await read(body.id)
    expect([paid.result.code, paid.redirect]).toEqual(['000.100.110', undefined])
  })

  test('is no precondition where the issuer does not want it', async () => {
    expect((await pay(cardThat(false))).body.redirect.preconditions).toBeUndefined()
  })
})

async function challenge(number = challenged): Promise<{ id: string; page: string; creq: string }> {
  const { body } = await pay(number)
  const page = pageOf(body)
  return { id: body.id, page, creq: (await begin(page)).creq ?? '' }
}

test.each([
  ['the right password', { password: '1234' }, '000.100.110'],
  ['a wrong one, three times', { password: '4321' }, '100.380.401'],
  ['the issuer’s rejection', { password: '2222' }, '100.390.100'],
  ['an attempt', { password: '7777' }, '000.100.110'],
  ['nobody to say', { password: '3333' }, '000.100.110'],
  ['cancel', { cancel: '1' }, '100.380.401'],
])('a challenge with %s', async (what, fields, code) => {
  const { id, page, creq } = await challenge()
  if (what.startsWith('a wrong')) {
    const shown = Buffer.from((await send('/acs/challenge', formOf({ creq }), FORM)).body).toString()
    const acsTransID = fieldOf(shown, 'acsTransID')
    for (let tries = 0; tries < 3; tries += 1) await send('/acs/answer', formOf({ acsTransID, ...fields }), FORM)
    await post(`${page}/result`, '', FORM)
  } else await answer(page, creq, fields)
  expect((await read(id)).body.result.code).toBe(code)
})

test('the word of the browser proves nothing', async () => {
  const { id, page } = await challenge()
  await post(`${page}/result`, formOf({ cres: 'eyJ0cmFuc1N0YXR1cyI6IlkifQ' }), FORM)
  expect((await read(id)).body.result.code).toBe('000.200.000')
})

test('nobody answers the challenge: its time is over', async () => {
  const { id } = await challenge()
  await tollgate.gateway.jobs.travel(tollgate.gateway.clock.now() + 12 * MINUTE_MS)
  expect((await read(id)).body.result.code).toBe('100.380.501')
})

test('the issuer’s word that comes without the shopper is enough', async () => {
  const { id, creq } = await challenge()
  const shown = Buffer.from((await send('/acs/challenge', formOf({ creq }), FORM)).body).toString()
  await send('/acs/answer', formOf({ acsTransID: fieldOf(shown, 'acsTransID'), password: '1234' }), FORM)
  await tollgate.gateway.jobs.travel(tollgate.gateway.clock.now() + 2 * MINUTE_MS)
  expect((await read(id)).body.result.code).toBe('000.100.110')
})

test('whoever begins or returns twice changes nothing, and one authorisation is made', async () => {
  const { id, page, creq } = await challenge()
  expect((await begin(page)).creq).toBe(creq)
  await Promise.all([answer(page, creq, { password: '1234' }), post(`${page}/result`, '', FORM)])
  await Promise.all(Array.from({ length: 20 }, () => post(`${page}/result`, '', FORM)))
  const tree = await tollgate.gateway.storage.treeOf(id)
  expect([tree?.transactions.length, tree?.version]).toEqual([1, 1])
  expect((await begin(page)).next).toBe('over')
})

test('where the word of the issuer is lost, nothing is authorised', async () => {
  const { id, page, creq } = await challenge()
  isDeaf = true
  await answer(page, creq, { password: '1234' })
  isDeaf = false
  expect((await read(id)).body.result.code).toBe('000.200.000')
})

test('a channel may refuse whom nobody could authenticate', async () => {
  const settings = { unauthenticated: 'fail' }
  await tollgate.manage('PATCH', `/entities/${sandboxIds.channel}`, { settings })
  const { body } = await pay('4012001037461114')
  await begin(pageOf(body))
  expect((await read(body.id)).body.result.code).toBe('100.390.112')
  await tollgate.manage('PATCH', `/entities/${sandboxIds.channel}`, { settings: { unauthenticated: null } })
})

test('a channel that takes the brand no more ends what waits, whoever it was that came', async () => {
  const set = (brands: string[] | null) =>
    tollgate.manage('PATCH', `/entities/${sandboxIds.channel}`, { settings: { brands } })
  const { id, creq } = await challenge()
  await set(['MASTER'])
  const shown = Buffer.from((await send('/acs/challenge', formOf({ creq }), FORM)).body).toString()
  await send('/acs/answer', formOf({ acsTransID: fieldOf(shown, 'acsTransID'), password: '1234' }), FORM)
  await tollgate.gateway.jobs.travel(tollgate.gateway.clock.now() + 12 * MINUTE_MS)
  await set(null)
  expect((await read(id)).body.result.code).toBe('600.200.500')
})

test('no card number and no proof are shown where they do not belong', async () => {
  const { page } = await challenge()
  const html = (await tollgate.server.inject({ method: 'GET', url: page })).body
  expect(html).not.toContain(challenged)
  expect(JSON.stringify(tollgate.logged)).not.toContain(challenged)
})
