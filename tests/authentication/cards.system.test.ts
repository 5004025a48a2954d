import { MINUTE_MS } from '@tollgate/contract'
import { threeDSecureCards } from '@tollgate/connectors'
import { sandboxIds } from '@tollgate/gateway'
import { afterAll, describe, expect, test } from 'vitest'
import { fieldOf, formOf, GATEWAY, ISSUERS, pageOf, RESULT_URL, browserData, withIssuers } from './with-issuers.ts'

const {
  tollgate,
  traffic,
  post,
  pay,
  readPayment: read,
  authenticate,
  readAuthentication,
  begin,
  answer,
  methodFrame,
  challengeOf,
  submit,
} = await withIssuers()
afterAll(() => tollgate.close())

const resultCodes: Readonly<Record<string, string>> = {
  Y: '000.100.110',
  A: '000.100.110',
  U: '000.100.110',
  N: '100.380.401',
}

/** The parameters that Cartes Bancaires requires in every authentication of a payment. */
const cartesBancaires = { paymentBrand: 'CARTEBANCAIRE', 'threeDSecure.schemeData[CB-USECASE]': '01' }

describe('each 3-D Secure test card has the result of its row', () => {
  test.each(threeDSecureCards)('$brand $number: $flow $transactionStatus', async (card) => {
    const pending = await pay(card.number, card.brand === 'CARTEBANCAIRE' ? cartesBancaires : {})
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
      expect(step).toEqual({ next: 'over', url: expect.stringContaining(`${RESULT_URL}?id=${pending.body.id}`) })
    }
    const { body } = await read(pending.body.id)
    expect(body.result.code).toBe(card.flow === 'challenge' ? '000.100.110' : resultCodes[card.transactionStatus ?? ''])
    const isProven = card.flow === 'challenge' || card.transactionStatus === 'Y' || card.transactionStatus === 'A'
    expect(body.threeDSecure?.verificationId?.length).toBe(isProven ? 28 : undefined)
    if (card.eci !== undefined && isProven) expect(body.threeDSecure.eci).toBe(card.eci)
  })
})

const challenged = '4200000000000042'

describe('with all browser data from the merchant', () => {
  const cardOf = (flow: string, status?: string) =>
    threeDSecureCards.find((card) => !card.methodData && card.flow === flow && card.transactionStatus === status)

  test.each([
    ['Y', '000.100.110'],
    ['N', '100.380.401'],
  ])('the authentication request is sent at once, and answered with %s', async (status, code) => {
    const card = cardOf('frictionless', status)
    const { body } = await pay(card?.number ?? '', browserData)
    expect([body.result.code, body.redirect]).toEqual([code, undefined])
    expect(body.threeDSecure?.eci).toBe(status === 'Y' ? card?.eci : undefined)
  })

  test('a challenge continues in a page, without a second request to the issuer', async () => {
    const { body } = await pay(cardOf('challenge', 'C')?.number ?? challenged, browserData)
    expect(body.result.code).toBe('000.200.000')
    const requestsBefore = traffic.authenticationRequestCount
    const step = await begin(pageOf(body))
    expect(traffic.authenticationRequestCount).toBe(requestsBefore)
    expect(await answer(pageOf(body), step.creq ?? '', { password: '1234' })).toBe(200)
    expect((await read(body.id)).body.result.code).toBe('000.100.110')
  })
})

describe('the 3-D Secure method of the issuer', () => {
  const cardWith = (methodData: boolean) =>
    threeDSecureCards.find((card) => card.flow === 'challenge' && card.methodData === methodData)?.number ?? ''

  test('is a precondition of the redirect, in the format of deployed clients', async () => {
    const { body } = await pay(cardWith(true))
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
    const frame = await methodFrame(value)
    const [, target = ''] = /action="([^"]+)"/.exec(frame) ?? []
    expect(target).toBe(`${GATEWAY}${pageOf(body)}/looked`)
    const completed = { threeDSMethodData: fieldOf(frame, 'threeDSMethodData') }
    expect((await post(new URL(target).pathname, formOf(completed))).statusCode).toBe(200)
    // The page of the gateway continues whether or not the 3-D Secure method has run.
    const step = await begin(pageOf(body))
    expect(await answer(pageOf(body), step.creq ?? '', { password: '1234' })).toBe(200)
    const { body: paid } = await read(body.id)
    expect([paid.result.code, paid.redirect]).toEqual(['000.100.110', undefined])
  })

  test('is no precondition if the issuer does not use it', async () => {
    expect((await pay(cardWith(false))).body.redirect.preconditions).toBeUndefined()
  })
})

async function startChallenge(number = challenged): Promise<{ id: string; page: string; creq: string }> {
  const { body } = await pay(number)
  const page = pageOf(body)
  return { id: body.id, page, creq: (await begin(page)).creq ?? '' }
}

test.each([
  ['the right password', { password: '1234' }, '000.100.110'],
  ['a wrong password, three times', { password: '4321' }, '100.380.401'],
  ['the issuer’s rejection', { password: '2222' }, '100.390.100'],
  ['an attempted authentication', { password: '7777' }, '000.100.110'],
  ['an unavailable authentication', { password: '3333' }, '000.100.110'],
  ['a cancellation', { cancel: '1' }, '100.380.401'],
])('a challenge with %s has its result code', async (response, fields, code) => {
  const { id, page, creq } = await startChallenge()
  if (response.startsWith('a wrong')) {
    const acsTransID = fieldOf(await challengeOf(creq), 'acsTransID')
    for (let attempt = 0; attempt < 3; attempt += 1) await submit(acsTransID, fields)
    await post(`${page}/result`, '')
  } else await answer(page, creq, fields)
  expect((await read(id)).body.result.code).toBe(code)
})

test('a result that the browser sends does not complete the payment', async () => {
  const { id, page } = await startChallenge()
  await post(`${page}/result`, formOf({ cres: 'eyJ0cmFuc1N0YXR1cyI6IlkifQ' }))
  expect((await read(id)).body.result.code).toBe('000.200.000')
})

test('an unanswered challenge times out', async () => {
  const { id } = await startChallenge()
  await tollgate.gateway.jobs.fastForward(tollgate.gateway.clock.now() + 12 * MINUTE_MS)
  expect((await read(id)).body.result.code).toBe('100.380.501')
})

test('the issuer’s result completes a payment without the shopper’s return', async () => {
  const { id, creq } = await startChallenge()
  await submit(fieldOf(await challengeOf(creq), 'acsTransID'), { password: '1234' })
  await tollgate.gateway.jobs.fastForward(tollgate.gateway.clock.now() + 2 * MINUTE_MS)
  expect((await read(id)).body.result.code).toBe('000.100.110')
})

test('repeated starts and returns cause one authorisation', async () => {
  const { id, page, creq } = await startChallenge()
  expect(await begin(page)).toEqual({ next: 'wait' })
  await Promise.all([answer(page, creq, { password: '1234' }), post(`${page}/result`, '')])
  await Promise.all(Array.from({ length: 20 }, () => post(`${page}/result`, '')))
  const tree = await tollgate.gateway.storage.treeOf(id)
  expect([tree?.transactions.length, tree?.version]).toEqual([1, 1])
  expect((await begin(page)).next).toBe('over')
})

test('one of ten concurrent browsers gets the challenge, and none gets it later', async () => {
  const { body } = await pay(challenged, browserData)
  const steps = await Promise.all(Array.from({ length: 10 }, () => begin(pageOf(body))))
  expect(steps.filter(({ creq }) => creq !== undefined)).toHaveLength(1)
  expect(steps.filter(({ next }) => next === 'wait')).toHaveLength(9)
  const page = await tollgate.server.inject({ method: 'GET', url: pageOf(body) })
  expect(page.body).toContain('data-step="interrupted"')
  expect(page.body).not.toContain('creq')
})

describe('a shopper who cancels', () => {
  const cancel = (page: string) => post(`${page}/cancel`, '')

  test('ends the challenge and its payment; a later result of the issuer changes nothing', async () => {
    const { id, page, creq } = await startChallenge()
    const response = await cancel(page)
    expect(response.json()).toEqual({ next: 'over', url: expect.stringContaining(RESULT_URL) })
    expect((await read(id)).body.result.code).toBe('100.396.101')
    expect((await begin(page)).next).toBe('over')
    expect(await answer(page, creq, { password: '1234' })).toBe(200)
    expect((await read(id)).body.result.code).toBe('100.396.101')
    expect((await tollgate.gateway.storage.treeOf(id))?.transactions.map(({ status }) => status)).toEqual(['NOK'])
  })

  test('prevents an authentication request that was not sent yet', async () => {
    const { body } = await pay(challenged)
    const requestsBefore = traffic.authenticationRequestCount
    await cancel(pageOf(body))
    expect((await begin(pageOf(body))).next).toBe('over')
    expect([traffic.authenticationRequestCount, (await read(body.id)).body.result.code]).toEqual([
      requestsBefore,
      '100.396.101',
    ])
  })

  test('changes nothing after the issuer’s result; if both are concurrent, one of them takes effect', async () => {
    const first = await startChallenge()
    await answer(first.page, first.creq, { password: '1234' })
    await cancel(first.page)
    expect((await read(first.id)).body.result.code).toBe('000.100.110')
    const second = await startChallenge()
    await Promise.all([cancel(second.page), answer(second.page, second.creq, { password: '1234' })])
    const { body } = await read(second.id)
    expect(['000.100.110', '100.396.101']).toContain(body.result.code)
    await cancel(second.page)
    expect((await read(second.id)).body.result.code).toBe(body.result.code)
  })

  test('ends a standalone authentication', async () => {
    const { body } = await authenticate(challenged)
    await begin(pageOf(body))
    await cancel(pageOf(body))
    expect((await readAuthentication(body.id)).body.result.code).toBe('100.396.101')
  })

  test('gets 404 for an unknown session', async () => {
    expect((await cancel(`/pages/authentications/${'0'.repeat(32)}`)).statusCode).toBe(404)
  })
})

test('a payment stays pending if the result of its issuer is lost', async () => {
  const { id, page, creq } = await startChallenge()
  traffic.areResultsLost = true
  await answer(page, creq, { password: '1234' })
  traffic.areResultsLost = false
  expect((await read(id)).body.result.code).toBe('000.200.000')
})

test('a channel may refuse payments without an authentication', async () => {
  const settings = { unauthenticated: 'fail' }
  await tollgate.manage('PATCH', `/entities/${sandboxIds.channel}`, { settings })
  const { body } = await pay('4012001037461114')
  await begin(pageOf(body))
  expect((await read(body.id)).body.result.code).toBe('100.390.112')
  await tollgate.manage('PATCH', `/entities/${sandboxIds.channel}`, { settings: { unauthenticated: null } })
})

test('a pending payment is refused after its channel has lost the brand', async () => {
  const setBrands = (brands: string[] | null) =>
    tollgate.manage('PATCH', `/entities/${sandboxIds.channel}`, { settings: { brands } })
  const { id, creq } = await startChallenge()
  await setBrands(['MASTER'])
  await submit(fieldOf(await challengeOf(creq), 'acsTransID'), { password: '1234' })
  await tollgate.gateway.jobs.fastForward(tollgate.gateway.clock.now() + 12 * MINUTE_MS)
  await setBrands(null)
  expect((await read(id)).body.result.code).toBe('600.200.500')
})

test('the card number is neither on the page nor in the log', async () => {
  const { page } = await startChallenge()
  const html = (await tollgate.server.inject({ method: 'GET', url: page })).body
  expect(html).not.toContain(challenged)
  expect(JSON.stringify(tollgate.logged)).not.toContain(challenged)
})
