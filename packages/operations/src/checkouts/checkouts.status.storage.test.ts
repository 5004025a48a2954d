import { MINUTE_MS } from '@tollgate/contract'
import { afterAll, describe, expect, test } from 'vitest'
import { FORM, formOf, summary, testGateway } from '@tollgate/gateway/testing'
import { card, checkoutParameters, checkoutRequests } from '../testing/checkout-requests.ts'
import { sandboxIds, sandboxToken } from '../directory/sandbox.ts'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { create, submit, status } = checkoutRequests(tollgate)

describe('the answer contains the reason for', () => {
  const unknown = `${'0'.repeat(32)}.test`

  test.each([
    ['an unknown id', unknown, 'there is no such checkout'],
    ['an id of the other environment', `${'0'.repeat(32)}.live`, 'the other environment'],
  ])('%s', async (_case, id, reason) => {
    for (const answer of [await status(id), await submit(id, card)]) {
      expect(summary(answer)).toEqual([404, '200.300.404'])
      expect(answer.body.resultDetails.ExtendedDescription).toContain(reason)
    }
  })

  test('an id that has expired after 30 minutes', async () => {
    const id = await create()
    tollgate.clock.nowMs += 30 * MINUTE_MS - 1
    expect(summary(await status(id))).toEqual([200, '000.200.000'])
    tollgate.clock.nowMs += 1
    for (const answer of [await status(id), await submit(id, card)]) {
      expect(summary(answer)).toEqual([404, '200.300.404'])
      expect(answer.body.resultDetails.ExtendedDescription).toContain('expired')
    }
  })

  test('a checkout of another merchant, the same as for an unknown id', async () => {
    const id = await create()
    const division = await tollgate.manage('POST', '/entities', {
      kind: 'division',
      name: 'D',
      parentId: sandboxIds.psp,
    })
    const merchant = await tollgate.manage('POST', '/entities', {
      kind: 'merchant',
      name: 'M',
      parentId: division.body.id,
    })
    const { body } = await tollgate.manage('POST', '/tokens', { entityId: merchant.body.id })
    const answer = await tollgate.request({
      method: 'GET',
      url: `/v1/checkouts/${id}/payment`,
      headers: { authorization: `Bearer ${body.token}` },
    })
    expect(summary(answer)).toEqual([404, '200.300.404'])
    expect(answer.body.resultDetails.ExtendedDescription).toContain('there is no such checkout')
  })
})

test.each(['payment', 'registration'])(
  'before a submit, the status of a %s checkout has the id of the checkout',
  async (resource) => {
    const id = await create(resource === 'payment' ? checkoutParameters : { createRegistration: 'true' })
    const answer = await status(id, resource)
    expect([summary(answer), answer.body.id]).toEqual([[200, '000.200.000'], id])
  },
)

describe('the status without a login', () => {
  const read = (id: string, resource = 'payment', query = '') =>
    tollgate.server.inject({ method: 'GET', url: `/v1/checkouts/${id}/${resource}${query}` })
  const setStatusWithoutLogin = (entity: string, checkoutStatusWithoutLogin: boolean | null) =>
    tollgate.manage('PATCH', `/entities/${entity}`, { settings: { checkoutStatusWithoutLogin } })
  const legacyCheckout = { ...checkoutParameters, entityId: sandboxIds.legacyChannel }

  test('is answered with 401, unless a legacy channel allows it', async () => {
    const [legacy, strict] = [await create(legacyCheckout), await create()]
    expect((await read(legacy)).statusCode).toBe(401)
    await setStatusWithoutLogin(sandboxIds.legacyChannel, true)
    await setStatusWithoutLogin(sandboxIds.channel, true)
    expect((await read(strict)).statusCode).toBe(401)
    expect((await read('0'.repeat(32))).statusCode).toBe(401)
    const unpaid = await read(legacy)
    expect([unpaid.statusCode, unpaid.json().result.code]).toEqual([200, '000.200.000'])
    const paid = await submit(legacy, card)
    const after = await read(legacy)
    expect([after.statusCode, after.json().id]).toEqual([200, paid.body.id])
    await setStatusWithoutLogin(sandboxIds.legacyChannel, null)
    await setStatusWithoutLogin(sandboxIds.channel, null)
    expect((await read(legacy)).statusCode).toBe(401)
  })

  test('of a registration is limited to its entity and to two reads a minute; a wrong token is refused', async () => {
    await setStatusWithoutLogin(sandboxIds.legacyChannel, true)
    const id = await create({ createRegistration: 'true', entityId: sandboxIds.legacyChannel })
    const answers = [
      await read(id, 'registration', `?entityId=${sandboxIds.channel}`),
      await read(id, 'registration', `?entityId=${sandboxIds.legacyChannel}`),
      await read(id, 'registration'),
      await read(id, 'registration'),
    ]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 200, 200, 429])
    const withToken = await tollgate.server.inject({
      method: 'GET',
      url: `/v1/checkouts/${id}/registration`,
      headers: { authorization: 'Bearer wrong' },
    })
    expect(withToken.statusCode).toBe(403)
    await setStatusWithoutLogin(sandboxIds.legacyChannel, null)
  })

  test('has an audit entry for each change of its setting', async () => {
    const entries = () => tollgate.logged.filter(({ audit }) => audit === 'checkoutStatusWithoutLogin changed')
    const earlier = entries().length
    await setStatusWithoutLogin(sandboxIds.legacyChannel, true)
    await setStatusWithoutLogin(sandboxIds.legacyChannel, true)
    await setStatusWithoutLogin(sandboxIds.legacyChannel, null)
    const lines = entries().slice(earlier)
    expect(lines.map(({ entity, value }) => [entity, value])).toEqual([
      [sandboxIds.legacyChannel, 'true'],
      [sandboxIds.legacyChannel, 'inherited'],
    ])
  })
})

test('the status of an unpaid checkout of a merchant with only legacy channels has no id', async () => {
  const { body: merchant } = await tollgate.manage('POST', '/entities', {
    kind: 'merchant',
    name: 'Dispatching',
    parentId: sandboxIds.division,
    settings: { dispatching: true, compatibility: 'legacy' },
  })
  await tollgate.manage('POST', '/entities', { kind: 'channel', name: 'One', parentId: merchant.id })
  const { body: token } = await tollgate.manage('POST', '/tokens', { entityId: merchant.id })
  const authorization = `Bearer ${token.token}`
  const { body } = await tollgate.request({
    method: 'POST',
    url: '/v1/checkouts',
    headers: { authorization, 'content-type': FORM },
    payload: formOf({ ...checkoutParameters, entityId: merchant.id }),
  })
  const url = `/v1/checkouts/${body.id}/payment`
  const answer = await tollgate.server.inject({ method: 'GET', url, headers: { authorization } })
  expect(answer.json()).toMatchObject({ result: { code: '000.200.000' }, ndc: body.id })
  expect(answer.json()).not.toHaveProperty('id')
})

test('the status of an unpaid checkout of a legacy channel has no id', async () => {
  const legacy = { ...checkoutParameters, entityId: sandboxIds.legacyChannel }
  const { body } = await tollgate.send('POST', '/v1/checkouts', legacy)
  const answer = await tollgate.server.inject({
    method: 'GET',
    url: `/v1/checkouts/${body.id}/payment?entityId=${sandboxIds.legacyChannel}`,
    headers: { authorization: `Bearer ${sandboxToken}` },
  })
  expect(answer.json()).toMatchObject({ result: { code: '000.200.000' }, ndc: body.id })
  expect(answer.json().id).toBeUndefined()
})
