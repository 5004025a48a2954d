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
import { card, checkoutRequests, prepared } from '../testing/checkout-requests.ts'
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

describe('declined attempts are bounded', () => {
  const declined = (code = '800.100.151') => ({ ...card, 'card.holder': `{${code}}` })
  const throttled = (answer: TestAnswer) => [...summary(answer), Number(answer.headers['retry-after']) > 0]
  let clean: TestGateway
  beforeAll(async () => (clean = await testGateway()))
  afterAll(() => clean.close())

  const createAt = async (parameters: Parameters = prepared): Promise<string> =>
    (await clean.send('POST', '/v1/checkouts', parameters)).body.id
  const submitAt = (id: string, parameters: Parameters, from = '198.51.100.1', what = 'payment') =>
    clean.request({
      method: 'POST',
      url: `/v1/checkouts/${id}/${what}`,
      headers: { 'content-type': FORM },
      payload: formOf(parameters),
      remoteAddress: from,
    })

  test('a checkout ends after ten, and its status stays readable', async () => {
    const id = await createAt()
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect(summary(await submitAt(id, declined()))).toEqual([400, '800.100.151'])
    }
    const ended = await submitAt(id, card)
    expect([throttled(ended), ended.body.resultDetails.ExtendedDescription]).toEqual([
      [429, '800.120.100', true],
      expect.stringContaining('create another'),
    ])
    expect(summary(await clean.send('GET', `/v1/checkouts/${id}/payment`))).toEqual([200, '800.100.151'])
    const view = await clean.server.inject({ method: 'GET', url: `/pages/checkouts/${id}` })
    expect(view.json()).toMatchObject({ state: 'gone' })
    expect(summary(await submitAt(await createAt(), card))).toEqual([200, '000.100.110'])
  })

  test('a checkout of a registration ends after ten, too', async () => {
    const entityId = sandboxIds.channel
    await clean.manage('PATCH', `/entities/${entityId}`, { settings: { verifyRegistrations: true } })
    const id = await createAt({ createRegistration: 'true' })
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const answer = await submitAt(id, declined(), '198.51.100.2', 'registration')
      expect(summary(answer)).toEqual([400, '800.100.151'])
    }
    expect(throttled(await submitAt(id, card, '198.51.100.2', 'registration'))).toEqual([429, '800.120.100', true])
    await clean.manage('PATCH', `/entities/${entityId}`, { settings: { verifyRegistrations: null } })
  })

  test('attempts without an outcome do not count', async () => {
    const id = await createAt()
    for (const code of Array<string>(11).fill('900.100.300')) await submitAt(id, declined(code), '198.51.100.3')
    expect(summary(await submitAt(id, card, '198.51.100.3'))).toEqual([200, '000.100.110'])
  })

  test('a card is refused after thirty in an hour, also across concurrent checkouts', async () => {
    const stolen = { ...declined(), 'card.number': '4111111111111111' }
    const ids = await Promise.all(Array.from({ length: 40 }, () => createAt()))
    const answers = await Promise.all(ids.map((id, index) => submitAt(id, stolen, `203.0.113.${index}`)))
    const codes = answers.map(({ body }) => body.result.code)
    expect(codes.filter((code) => code === '800.100.151')).toHaveLength(30)
    expect(codes.filter((code) => code === '800.120.100')).toHaveLength(10)
    const number = { ...card, 'card.number': '4111111111111111' }
    expect(throttled(await submitAt(await createAt(), number, '203.0.113.99'))).toEqual([429, '800.120.100', true])
    expect(summary(await submitAt(await createAt(), card, '203.0.113.99'))).toEqual([200, '000.100.110'])
    clean.clock.nowMs += 60 * MINUTE_MS
    expect(summary(await submitAt(await createAt(), number, '203.0.113.99'))).toEqual([200, '000.100.110'])
  })

  test('an address is refused after sixty in an hour, unless the channel’s settings allow more', async () => {
    await clean.manage('PATCH', `/entities/${sandboxIds.channel}`, { settings: { declines: { card: 'off' } } })
    const from = '2001:db8:1:2::7'
    for (let attempt = 0; attempt < 60; attempt += 1) await submitAt(await createAt(), declined(), from)
    const same = '2001:db8:1:2:ffff::1'
    expect(throttled(await submitAt(await createAt(), card, same))).toEqual([429, '800.120.100', true])
    expect(summary(await submitAt(await createAt(), card, '2001:db8:1:3::7'))).toEqual([200, '000.100.110'])
    await clean.manage('PATCH', `/entities/${sandboxIds.channel}`, {
      settings: { declines: { card: 'off', address: 'off' } },
    })
    expect(summary(await submitAt(await createAt(), card, same))).toEqual([200, '000.100.110'])
  })
})
