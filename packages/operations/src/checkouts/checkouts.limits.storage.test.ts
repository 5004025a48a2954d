import { MINUTE_MS } from '@tollgate/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  FORM,
  formOf,
  type Parameters,
  summary,
  type TestAnswer,
  type TestGateway,
  testGateway,
} from '@tollgate/gateway/testing'
import { card, checkoutParameters, checkoutRequests } from '../testing/checkout-requests.ts'
import { sandboxIds } from '../directory/sandbox.ts'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { create, submit, status } = checkoutRequests(tollgate)

test('only one of ten concurrent submits pays', async () => {
  const id = await create()
  const answers = await Promise.all(Array.from({ length: 10 }, () => submit(id, card)))
  const paid = answers.filter((answer) => answer.status === 200)
  expect(paid.map(summary)).toEqual([[200, '000.100.110']])
  expect(new Set(answers.map(({ body }) => body.result.code))).toEqual(new Set(['000.100.110', '700.400.100']))
})

test('the status of a checkout may be read twice a minute', async () => {
  const id = await create()
  expect([summary(await status(id)), summary(await status(id))]).toEqual([
    [200, '000.200.000'],
    [200, '000.200.000'],
  ])
  const third = await status(id)
  expect(summary(third)).toEqual([429, '800.120.100'])
  expect(third.headers['retry-after']).toBe('60')
  tollgate.clock.nowMs += MINUTE_MS
  expect(summary(await status(id))).toEqual([200, '000.200.000'])
})

describe('declined attempts', () => {
  const declined = (code = '800.100.151') => ({ ...card, 'card.holder': `{${code}}` })
  const throttledSummary = (answer: TestAnswer) => [...summary(answer), Number(answer.headers['retry-after']) > 0]
  let separateGateway: TestGateway
  beforeAll(async () => (separateGateway = await testGateway()))
  afterAll(() => separateGateway.close())

  const createCheckout = async (parameters: Parameters = checkoutParameters): Promise<string> =>
    (await separateGateway.send('POST', '/v1/checkouts', parameters)).body.id
  const submitFrom = (id: string, parameters: Parameters, address = '198.51.100.1', resource = 'payment') =>
    separateGateway.request({
      method: 'POST',
      url: `/v1/checkouts/${id}/${resource}`,
      headers: { 'content-type': FORM },
      payload: formOf(parameters),
      remoteAddress: address,
    })

  test('end a checkout after ten, and its status stays readable', async () => {
    const id = await createCheckout()
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect(summary(await submitFrom(id, declined()))).toEqual([400, '800.100.151'])
    }
    const eleventh = await submitFrom(id, card)
    expect([throttledSummary(eleventh), eleventh.body.resultDetails.ExtendedDescription]).toEqual([
      [429, '800.120.100', true],
      expect.stringContaining('create another'),
    ])
    expect(summary(await separateGateway.send('GET', `/v1/checkouts/${id}/payment`))).toEqual([200, '800.100.151'])
    const view = await separateGateway.server.inject({ method: 'GET', url: `/pages/checkouts/${id}` })
    expect(view.json()).toMatchObject({ state: 'gone' })
    expect(summary(await submitFrom(await createCheckout(), card))).toEqual([200, '000.100.110'])
  })

  test('of a registration also end its checkout after ten', async () => {
    const entityId = sandboxIds.channel
    await separateGateway.manage('PATCH', `/entities/${entityId}`, { settings: { verifyRegistrations: true } })
    const id = await createCheckout({ createRegistration: 'true' })
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const answer = await submitFrom(id, declined(), '198.51.100.2', 'registration')
      expect(summary(answer)).toEqual([400, '800.100.151'])
    }
    expect(throttledSummary(await submitFrom(id, card, '198.51.100.2', 'registration'))).toEqual([
      429,
      '800.120.100',
      true,
    ])
    await separateGateway.manage('PATCH', `/entities/${entityId}`, { settings: { verifyRegistrations: null } })
  })

  test('do not include attempts without an outcome', async () => {
    const id = await createCheckout()
    for (const code of Array<string>(11).fill('900.100.300')) await submitFrom(id, declined(code), '198.51.100.3')
    expect(summary(await submitFrom(id, card, '198.51.100.3'))).toEqual([200, '000.100.110'])
  })

  test('block a card for an hour after thirty, also across concurrent checkouts', async () => {
    const declinedCard = { ...declined(), 'card.number': '4111111111111111' }
    const ids = await Promise.all(Array.from({ length: 40 }, () => createCheckout()))
    const answers = await Promise.all(ids.map((id, index) => submitFrom(id, declinedCard, `203.0.113.${index}`)))
    const codes = answers.map(({ body }) => body.result.code)
    expect(codes.filter((code) => code === '800.100.151')).toHaveLength(30)
    expect(codes.filter((code) => code === '800.120.100')).toHaveLength(10)
    const sameCard = { ...card, 'card.number': '4111111111111111' }
    expect(throttledSummary(await submitFrom(await createCheckout(), sameCard, '203.0.113.99'))).toEqual([
      429,
      '800.120.100',
      true,
    ])
    expect(summary(await submitFrom(await createCheckout(), card, '203.0.113.99'))).toEqual([200, '000.100.110'])
    separateGateway.clock.nowMs += 60 * MINUTE_MS
    expect(summary(await submitFrom(await createCheckout(), sameCard, '203.0.113.99'))).toEqual([200, '000.100.110'])
  })

  test('block the /64 network of an IPv6 address after sixty, unless the channel’s setting is off', async () => {
    await separateGateway.manage('PATCH', `/entities/${sandboxIds.channel}`, {
      settings: { declines: { card: 'off' } },
    })
    const address = '2001:db8:1:2::7'
    for (let attempt = 0; attempt < 60; attempt += 1) await submitFrom(await createCheckout(), declined(), address)
    const sameNetwork = '2001:db8:1:2:ffff::1'
    expect(throttledSummary(await submitFrom(await createCheckout(), card, sameNetwork))).toEqual([
      429,
      '800.120.100',
      true,
    ])
    expect(summary(await submitFrom(await createCheckout(), card, '2001:db8:1:3::7'))).toEqual([200, '000.100.110'])
    await separateGateway.manage('PATCH', `/entities/${sandboxIds.channel}`, {
      settings: { declines: { card: 'off', address: 'off' } },
    })
    expect(summary(await submitFrom(await createCheckout(), card, sameNetwork))).toEqual([200, '000.100.110'])
  })
})
