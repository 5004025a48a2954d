import { sandboxIds } from '@tollgate/operations'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { testGateway, type TestGateway } from '../../testing/test-gateway.ts'

let tollgate: TestGateway
beforeEach(async () => {
  tollgate = await testGateway()
})
afterEach(() => tollgate.close())

const path = (id: string, query = '') => `/entities/${id}/merchant-terms${query}`
const { merchant, channel } = sandboxIds
const iban = 'DE89370400440532013000'
const terms = {
  availableAfterDays: 1,
  reserve: { percent: '10', days: 30 },
  payouts: {
    schedule: 'weekly',
    minimums: [{ currency: 'EUR', amount: '100.00' }],
    account: { holder: 'Shop Ltd', iban },
  },
}

test('terms are shown with the last four characters of the account number, which is sealed', async () => {
  const { manage, clock, gateway } = tollgate
  const startsAt = new Date(clock.nowMs + 1_000).toISOString()
  const set = await manage('POST', path(merchant), { ...terms, startsAt })
  const shown = { ...terms, payouts: { ...terms.payouts, account: { holder: 'Shop Ltd', last4: '3000' } } }
  const createdAt = new Date(clock.nowMs).toISOString()
  const body = { entityId: merchant, merchantTerms: [{ startsAt, createdAt, terms: shown }] }
  expect([set.status, set.body]).toEqual([201, body])
  expect((await manage('GET', path(merchant))).body).toEqual(body)
  const [row] = await gateway.storage.merchantTerms()
  expect(JSON.stringify(row)).not.toContain(iban)
  expect(Buffer.from(row?.sealed ?? []).includes(iban)).toBe(false)
})

test('a removal is from a time on, and changes nothing before', async () => {
  const { manage, clock } = tollgate
  await manage('POST', path(merchant), terms)
  const startsAt = new Date(clock.nowMs + 1_000).toISOString()
  const removed = await manage('DELETE', path(merchant, `?startsAt=${startsAt}`))
  expect([removed.status, removed.body.merchantTerms]).toMatchObject([200, [{}, { startsAt, terms: null }]])
})

describe('refuses', () => {
  const { payouts } = terms
  test.each<[name: string, body: object, message: string]>([
    ['a day in the past', { startsAt: '2020-01-01T00:00:00Z' }, 'body/startsAt must not be in the past'],
    ['scheduled payouts without an account', { payouts: { schedule: 'daily' } }, 'body/payouts/account is required'],
    [
      'a wrong IBAN',
      { payouts: { ...payouts, account: { holder: 'Shop Ltd', iban: 'DE89370400440532013001' } } },
      'body/payouts/account/iban is no valid IBAN',
    ],
    ['a reserve without an end', { reserve: { percent: '10' } }, 'body/reserve must have required property'],
    ['a wrong percentage', { reserve: { percent: '100', days: 1 } }, 'body/reserve/percent'],
    ['days beyond the bound', { availableAfterDays: 91 }, 'body/availableAfterDays'],
    [
      'decimals that a currency lacks',
      { payouts: { ...payouts, minimums: [{ currency: 'JPY', amount: '1.50' }] } },
      'body/payouts/minimums/0/amount',
    ],
    ['an unknown member', { other: 1 }, 'body must NOT have additional properties'],
  ])('%s, without its value', async (_name, body, message) => {
    const refused = await tollgate.manage('POST', path(merchant), body)
    expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringContaining(message)])
    expect(refused.body.error.message).not.toContain('DE8937')
    expect(await tollgate.gateway.storage.merchantTerms()).toEqual([])
  })

  test('terms of a channel, and two at the same time', async () => {
    const { manage } = tollgate
    expect(await manage('POST', path(channel), {})).toMatchObject({ status: 400 })
    await manage('POST', path(merchant), {})
    const second = await manage('POST', path(merchant), {})
    expect([second.status, second.body.error.message]).toEqual([400, expect.stringContaining('choose another time')])
  })
})
