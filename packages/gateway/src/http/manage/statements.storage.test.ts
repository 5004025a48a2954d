import { createHash } from 'node:crypto'
import { dayIn, postTransactions, sandboxIds } from '@tollgate/operations'
import type { LedgerDayRow } from '@tollgate/storage'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { cardPayment, testGateway, type TestGateway } from '../../testing/test-gateway.ts'

let tollgate: TestGateway
beforeEach(async () => {
  tollgate = await testGateway()
})
afterEach(() => tollgate.close())

const { merchant } = sandboxIds
const get = (month: string, accept?: string, id: string = merchant) =>
  tollgate.manage('GET', `/statements/${id}/${month}`, undefined, undefined, accept)

const sums = (day: string, kind: string, amountMinor: number, changes: Partial<LedgerDayRow> = {}): LedgerDayRow => ({
  merchant,
  day: dayIn(day) ?? 0,
  acquirer: 'acme',
  currency: 'EUR',
  kind,
  postings: 2,
  amount_minor: amountMinor,
  fee_minor: 0,
  ...changes,
})
const store = async (...rows: LedgerDayRow[]) => {
  const { storage, ids } = tollgate.gateway
  await storage.commit({ id: ids.ordered(), expectedVersions: [], rows: { ledger_day: rows } })
}

const history = [
  sums('2026-03-31', 'charge', 10_000, { fee_minor: 100 }),
  sums('2026-04-01', 'capture', 5_000, { fee_minor: 50 }),
  sums('2026-04-01', 'capture', 1_000, { fee_minor: 10, acquirer: 'north', postings: 1 }),
  sums('2026-04-01', 'hold', 90_000),
  sums('2026-04-30', 'refund', 2_000, { fee_minor: 60 }),
  sums('2026-04-30', 'charge', 300, { currency: 'JPY' }),
  sums('2026-05-01', 'charge', 7_000),
]

test('a statement leads from the opening to the closing balance, by day and kind', async () => {
  await store(...history)
  const { status, body } = await get('2026-04')
  expect([status, body]).toEqual([
    200,
    {
      merchantId: merchant,
      merchantName: 'Sandbox merchant',
      from: '2026-04-01',
      to: '2026-04-30',
      completeTo: null,
      currencies: [
        {
          currency: 'EUR',
          opening: '99.00',
          lines: [
            {
              day: '2026-04-01',
              kind: 'capture',
              category: 'charge',
              count: 3,
              gross: '60.00',
              fee: '0.60',
              net: '59.40',
            },
            {
              day: '2026-04-30',
              kind: 'refund',
              category: 'refund',
              count: 2,
              gross: '-20.00',
              fee: '0.60',
              net: '-20.60',
            },
          ],
          totals: { count: 5, gross: '40.00', fee: '1.20', net: '38.80' },
          feesByKind: [
            { kind: 'capture', count: 3, fee: '0.60' },
            { kind: 'refund', count: 2, fee: '0.60' },
          ],
          closing: '137.80',
        },
        {
          currency: 'JPY',
          opening: '0.00',
          lines: [
            {
              day: '2026-04-30',
              kind: 'charge',
              category: 'charge',
              count: 2,
              gross: '300.00',
              fee: '0.00',
              net: '300.00',
            },
          ],
          totals: { count: 2, gross: '300.00', fee: '0.00', net: '300.00' },
          feesByKind: [],
          closing: '300.00',
        },
      ],
    },
  ])
  const [next] = (await get('2026-05')).body.currencies
  expect([next.opening, next.closing]).toEqual(['137.80', '207.80'])
})

test('a statement agrees with the payments of its month', async () => {
  await tollgate.send('POST', '/v1/payments', cardPayment())
  tollgate.clock.nowMs += 10_000
  const task = postTransactions(tollgate.gateway)
  while ((await task.step()) === 'more');
  expect((await get('2026-05')).body).toMatchObject({
    completeTo: '2026-05-04T03:02:06.000Z',
    currencies: [{ lines: [{ day: '2026-05-04', kind: 'charge', count: 1, net: '92.00' }], closing: '92.00' }],
  })
})

test('a statement as CSV has the same rows', async () => {
  await store(...history)
  const { headers, text } = await get('2026-04', 'text/csv')
  expect([headers['content-type'], text.split('\n')]).toEqual([
    'text/csv; charset=utf-8',
    [
      'row;currency;day;kind;category;count;gross;fee;net;balance',
      'opening;EUR;;;;;;;;99.00',
      'line;EUR;2026-04-01;capture;charge;3;60.00;0.60;59.40;',
      'line;EUR;2026-04-30;refund;refund;2;-20.00;0.60;-20.60;',
      'total;EUR;;;;5;40.00;1.20;38.80;',
      'closing;EUR;;;;;;;;137.80',
      'opening;JPY;;;;;;;;0.00',
      'line;JPY;2026-04-30;charge;charge;2;300.00;0.00;300.00;',
      'total;JPY;;;;2;300.00;0.00;300.00;',
      'closing;JPY;;;;;;;;300.00',
      '',
    ],
  ])
})

test('a statement as a page has no script, a policy that permits only its style sheet, and escaped texts', async () => {
  await store(...history)
  await tollgate.manage('PATCH', `/entities/${merchant}`, { name: '<script>alert(1)</script> & "Sons"' })
  const { status, headers, text } = await get('2026-04', 'text/html,application/xhtml+xml;q=0.9')
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;Sons&quot;')
  expect(text).not.toMatch(/<script|javascript:|\son\w+=|\sstyle=|<link|<img/i)
  expect(text).toContain('size: A4')
  for (const amount of ['99.00', '59.40', '-20.60', '137.80'])
    expect(text).toContain(`<td class="number">${amount}</td>`)
  const style = /<style>([^]*)<\/style>/.exec(text)?.[1] ?? ''
  const digest = createHash('sha256').update(style).digest('base64')
  expect(headers['content-security-policy']).toBe(
    `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  )
  const empty = await get('2020-01', 'text/html')
  expect(empty.text).toContain('There are no entries.')
})

test.each([
  ['2026-13', merchant, 'The path ends with a month such as 2027-01.'],
  ['2026-1', merchant, 'The path ends with a month such as 2027-01.'],
  ['2026-04', sandboxIds.channel, 'is a channel, not a merchant'],
  ['2026-04', '0'.repeat(32), 'There is no entity'],
])('the statement of %s of %s is answered with 404', async (month, id, message) => {
  const { status, body } = await get(month, undefined, id)
  expect([status, body.error.message]).toEqual([404, expect.stringContaining(message)])
})
