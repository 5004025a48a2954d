import { postTransactions, sandboxIds } from '@tollgate/operations'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { otherMerchant } from '../../testing/other-merchant.ts'
import { cardPayment, type Parameters, testGateway, type TestGateway } from '../../testing/test-gateway.ts'

let tollgate: TestGateway
beforeEach(async () => {
  tollgate = await testGateway()
})
afterEach(() => tollgate.close())

const pay = async (changes: Parameters = {}): Promise<string> =>
  (await tollgate.send('POST', '/v1/payments', cardPayment(changes))).body.id
const followUp = async (id: string, paymentType: string, amount: string, currency = 'EUR'): Promise<string> =>
  (await tollgate.send('POST', `/v1/payments/${id}`, { paymentType, amount, currency })).body.id
const groupsBy = async (by: string, query = '') =>
  (await tollgate.manage('GET', `/analytics?from=2026-05-01&to=2026-05-31&by=${by}${query}`)).body.groups

async function post(): Promise<void> {
  tollgate.clock.nowMs += 10_000
  const task = postTransactions(tollgate.gateway)
  while ((await task.step()) === 'more');
}

test('volumes, approval rates, declines and refunds are shown by brand', async () => {
  const debit = await pay()
  await pay({ amount: '8.00' })
  await pay({ 'card.holder': '{800.100.151}' })
  await followUp(debit, 'RF', '10.00')
  const hold = await pay({ paymentType: 'PA' })
  await followUp(hold, 'CP', '60.00')
  await pay({ currency: 'JPY', amount: '500' })
  await post()
  const none = { declines: {}, refunds: 0, refundVolume: '0.00', chargebacks: 0, chargebackVolume: '0.00' }
  expect(await groupsBy('brand')).toEqual([
    {
      ...none,
      group: 'VISA',
      currency: 'EUR',
      approved: 3,
      declined: 1,
      approvalRate: '0.7500',
      declines: { bank: 1 },
      charges: 3,
      volume: '160.00',
      refunds: 1,
      refundVolume: '10.00',
      chargebackRatio: '0.0000',
    },
    {
      ...none,
      group: 'VISA',
      currency: 'JPY',
      approved: 1,
      declined: 0,
      approvalRate: '1.0000',
      charges: 1,
      volume: '500.00',
      chargebackRatio: '0.0000',
    },
  ])
  expect(
    (await groupsBy('outcome')).map((each: { group: string; currency: string }) => `${each.group} ${each.currency}`),
  ).toEqual(['ACK EUR', 'ACK JPY', 'bank EUR'])
  expect((await groupsBy('day')).map((each: { group: string }) => each.group)).toEqual(['2026-05-04', '2026-05-04'])
  const { psp } = await otherMerchant(tollgate)
  expect(await groupsBy('brand', `&entityId=${psp}`)).toEqual([])
})

test('the figures of every grouping are the sums of the raw transactions, to the cent', async () => {
  const { storage } = tollgate.gateway
  for (let index = 0; index < 12; index += 1) {
    const id = await pay({
      amount: `${index * 7 + 1}.${String((index * 13) % 100).padStart(2, '0')}`,
      paymentType: index % 3 === 0 ? 'PA' : 'DB',
      ...(index % 5 === 4 && { 'card.holder': '{800.100.151}' }),
      ...(index % 2 === 0 && { 'billing.country': index % 4 === 0 ? 'DE' : 'FR' }),
    })
    if (index % 3 === 0) await followUp(id, 'CP', '1.00')
    tollgate.clock.nowMs += 9_000_000
  }
  await post()
  const rows = [...(await storage.rootsFrom('', 'g', 99)), ...(await storage.childrenFrom('', 'g', 99))]
  const isOf = (types: string[], status: string) => (row: { type: string; status: string }) =>
    types.includes(row.type) && row.status === status
  const minorOf = (list: typeof rows) => list.reduce((sum, row) => sum + (row.amount_minor ?? 0), 0)
  const raw = {
    charges: rows.filter(isOf(['DB', 'CP'], 'ACK')).length,
    volume: minorOf(rows.filter(isOf(['DB', 'CP'], 'ACK'))),
    approved: rows.filter(isOf(['DB', 'PA'], 'ACK')).length,
    declined: rows.filter(isOf(['DB', 'PA'], 'NOK')).length,
  }
  expect(raw.declined).toBeGreaterThan(0)
  for (const by of ['brand', 'country', 'acquirer', 'outcome', 'method', 'currency', 'day']) {
    const sum = { charges: 0, volume: 0, approved: 0, declined: 0 }
    for (const group of await groupsBy(by)) {
      sum.charges += group.charges
      sum.volume += Math.round(Number(group.volume) * 100)
      sum.approved += group.approved
      sum.declined += group.declined
    }
    expect([by, sum]).toEqual([by, raw])
  }
})

test('the chargeback ratio is the number of chargebacks divided by that of charges', async () => {
  const { manage, send } = tollgate
  const { body: issued } = await manage('POST', '/tokens', { entityId: sandboxIds.merchant, rights: ['chargeback'] })
  const [first] = [await pay(), await pay(), await pay()]
  const chargeback = { paymentType: 'CB', amount: '92.00', currency: 'EUR', chargebackResultCode: '000.100.203' }
  const { body } = await send('POST', `/v1/payments/${first}`, chargeback, { authorization: `Bearer ${issued.token}` })
  expect(body.paymentType).toBe('CB')
  await post()
  expect(await groupsBy('currency')).toMatchObject([
    { charges: 3, chargebacks: 1, chargebackVolume: '92.00', chargebackRatio: '0.3333' },
  ])
})

test.each([
  ['from=2026-05-01&to=2026-05-31', "querystring must have required property 'by'"],
  ['from=2026-05-01&to=2026-05-31&by=card', 'querystring/by must be one of brand, country, acquirer'],
  ['from=2026-05-01&to=2028-05-31&by=brand', 'querystring/to must be at most 400 days'],
])('%s is refused', async (query, message) => {
  const { status, body } = await tollgate.manage('GET', `/analytics?${query}`)
  expect([status, body.error.message]).toEqual([400, expect.stringContaining(message)])
})
