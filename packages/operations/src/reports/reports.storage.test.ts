import { otherMerchant, type Parameters, summary, type TestGateway } from '@tollgate/gateway/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sandboxIds } from '../directory/sandbox.ts'
import { limits } from '../limits.ts'
import { rowIn, rowJson } from '../settlement/stored-row.ts'
import { clearedGateway } from '../testing/cleared-connector.ts'
import { payCleared, postAll, settlementRowOf } from '../testing/settlement-files.ts'
import { type Aggregated, june, type Recorded, settlementReports, V1 } from '../testing/settlement-reports.ts'

let tollgate: TestGateway
let reports: ReturnType<typeof settlementReports>
beforeEach(async () => {
  tollgate = await clearedGateway()
  reports = settlementReports(tollgate)
})
afterEach(() => tollgate.close())

describe('the summary', () => {
  test('has a settlement for each day, settlement id and currency, with its sums', async () => {
    const { payments } = await reports.settled({}, { settlementId: 'S2' }, { settledOn: '2026-06-17' }, {})
    await reports.settle([
      settlementRowOf({
        kind: 'CHARGEBACK',
        cashflow: 'NEG',
        connectorTxId1: payments[0]?.reference,
        feeMinor: 1500,
        reason: '10.4',
      }),
      settlementRowOf({
        kind: 'FEE',
        type: 'CAPTURE_FEE',
        cashflow: 'NEG',
        connectorTxId1: payments[0]?.reference,
        amountMinor: 25,
        settlementAmountMinor: 25,
        feeMinor: undefined,
      }),
    ])
    const { status, body } = await reports.get(V1, june)
    expect(status).toBe(200)
    const ofDayAndId = body.aggregations.map((each: Aggregated) => [each.settlement.date, each.settlement.id, each.net])
    expect(ofDayAndId.toSorted()).toEqual([
      ['2026-06-16', 'S1', '74.95'],
      ['2026-06-16', 'S2', '91.10'],
      ['2026-06-17', 'S1', '91.10'],
    ])
    const first = body.aggregations.find(({ net }: Aggregated) => net === '74.95')
    expect(first).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      settlement: { id: 'S1', date: '2026-06-16', currency: 'EUR' },
      clearingInstitute: { merchantId: 'NORTH0000000001' },
      merchantAccount: { id: sandboxIds.channel, name: expect.any(String) },
      merchantEntityId: sandboxIds.merchant,
      records: '4',
      sales: { count: '2', amount: '184.00' },
      payouts: { count: '0', amount: '0.00' },
      refunds: { count: '0', amount: '0.00' },
      chargebacks: { count: '1', amount: '92.00' },
      chargebackReversals: { count: '0', amount: '0.00' },
      fees: { count: '1', amount: '0.25' },
      transactionFees: { amount: '16.80' },
      failed: { count: '0' },
      net: '74.95',
    })
    const chargebacks = await reports.get(V1, { ...june, reconciliationType: 'CHARGEBACK' })
    expect(chargebacks.body.aggregations.map(({ records, net }: Aggregated) => [records, net])).toEqual([
      ['1', '-107.00'],
    ])
  })

  test('is that of the period, the currency and the entity', async () => {
    await reports.settled({}, { settledOn: '2026-06-17' })
    const count = async (parameters: Parameters) =>
      (await reports.get(V1, { ...june, ...parameters })).body.aggregations.length
    expect(await count({})).toBe(2)
    expect(await count({ 'date.from': '2026-06-17' })).toBe(1)
    expect(await count({ 'date.to': '2026-06-16' })).toBe(1)
    expect(await count({ 'date.from': '2026-06-18' })).toBe(0)
    expect(await count({ currency: 'EUR' })).toBe(2)
    expect(await count({ currency: 'USD' })).toBe(0)
    expect(await count({ entityId: sandboxIds.merchant })).toBe(2)
    const other = await otherMerchant(tollgate)
    const url = `${V1}?date.from=2026-06-01&date.to=2026-06-30`
    const authorization = `Bearer ${other.token}`
    const ofOther = await tollgate.request({ method: 'GET', url, headers: { authorization } })
    expect(ofOther.body.aggregations).toEqual([])
    const foreign = await tollgate.request({
      method: 'GET',
      url: `${V1}/${await reports.aggregationId()}`,
      headers: { authorization },
    })
    expect(summary(foreign)).toEqual([404, '700.400.580'])
  })

  test('is refused for a division, a foreign entity, and without a token', async () => {
    expect(summary(await reports.get(V1, { ...june, entityId: sandboxIds.division }))[0]).not.toBe(200)
    const other = await otherMerchant(tollgate)
    expect((await reports.get(V1, { ...june, entityId: other.channel })).status).toBe(403)
    expect((await tollgate.request({ method: 'GET', url: V1 })).status).toBe(401)
  })

  test.each<[Parameters, string]>([
    [{ 'date.from': undefined }, 'date.from'],
    [{ 'date.to': '2026-06-31' }, 'date.to'],
    [{ 'date.to': '30.06.2026' }, 'date.to'],
    [{ 'date.to': '2026-05-31' }, 'date.to'],
    [{ 'date.to': '2027-07-06' }, 'date.to'],
    [{ currency: 'EUX' }, 'currency'],
    [{ sortValue: 'Amount' }, 'sortValue'],
    [{ sortOrder: 'up' }, 'sortOrder'],
    [{ reconciliationType: 'SALE' }, 'reconciliationType'],
    [{ pageNo: '2' }, 'pageNo'],
    [{ merchant: 'x' }, 'merchant'],
  ])('with %j is refused, and the answer names the parameter', async (changes, name) => {
    const { status, body } = await reports.get(V1, { ...june, ...changes })
    expect([status, body.result.code]).toEqual([400, '200.300.404'])
    expect(body.result.parameterErrors.map((error: { name: string }) => error.name)).toEqual([name])
  })

  test('is CSV for spreadsheets if the client accepts that, with formulas neutralised', async () => {
    await reports.settled({ settlementId: '=1+1' })
    const { text, headers } = await reports.get(V1, june, { accept: 'text/csv' })
    expect([headers['content-type'], headers['vary']]).toEqual(['text/csv; charset=utf-8', 'accept'])
    const [head = '', line = '', ...rest] = text.trimEnd().split('\n')
    expect(rest).toEqual([])
    const cells = new Map(head.split(';').map((name, index) => [name, line.split(';')[index]]))
    expect(Object.fromEntries(cells)).toMatchObject({
      'settlement.id': `'=1+1`,
      'sales.count': '1',
      'sales.amount': '92.00',
      net: '91.10',
    })
  })
})

describe('the records of a settlement', () => {
  test('have all fields of the reconciliation record, under their API names', async () => {
    const { payments } = await reports.settled({
      descriptor: '=Shop',
      last4: '0000',
      holder: 'Jane Jones',
      brand: 'VISA',
    })
    const { body } = await reports.get(`${V1}/${await reports.aggregationId()}`)
    expect(body.records).toEqual([
      {
        recordType: 'SETTLED',
        transactionType: 'DEBIT',
        settlement: {
          cashflow: 'POS',
          id: 'S1',
          amount: '92.00',
          currency: 'EUR',
          fee: '0.90',
          fxRate: '1.00',
          date: '2026-06-16',
          status: 'SUCCESS',
          format: 'tollgate-csv',
        },
        clearingInstitute: {
          merchantId: 'NORTH0000000001',
          txId1: payments[0]?.reference,
          txId2: expect.stringMatching(/^0100[0-9]{38}$/),
          txId3: 'A1B2C3',
          name: 'North',
        },
        merchantAccount: { id: sandboxIds.channel, name: expect.any(String) },
        pspEntityId: sandboxIds.psp,
        divisionEntityId: sandboxIds.division,
        merchantEntityId: sandboxIds.merchant,
        payment: { id: payments[0]?.id },
        amount: '92.00',
        currency: 'EUR',
        paymentBrand: 'VISA',
        presentmentDate: '2026-06-15 12:00:00',
        descriptor: '=Shop',
        card: { last4Digits: '0000', holder: 'Jane Jones' },
        matchedTransactions: { status: 'MATCHED', payment: [{ id: payments[0]?.id }] },
      },
    ])
    expect(body.next).toBeUndefined()
    const { text } = await reports.get(
      `${V1}/${body.records[0] && (await reports.aggregationId())}`,
      {},
      { accept: 'text/csv' },
    )
    expect(text).toContain(`;'=Shop;`)
  })

  test('have the memo of the merchant, which appears in reports only', async () => {
    const { reference } = await payCleared(tollgate, { merchantMemo: 'as agreed with Jane' })
    await postAll(tollgate)
    await reports.settle([settlementRowOf({ connectorTxId1: reference })])
    const path = `${V1}/${await reports.aggregationId()}`
    expect((await reports.get(path)).body.records).toMatchObject([{ merchantMemo: 'as agreed with Jane' }])
    const [header = '', line = ''] = (await reports.get(path, {}, { accept: 'text/csv' })).text.split('\n')
    expect([header.split(';').at(-1), line.split(';').at(-1)]).toEqual(['MerchantMemo', 'as agreed with Jane'])
  })

  const times = async (id: string, parameters: Parameters = {}) =>
    (await reports.get(`${V1}/${id}`, parameters)).body.records.map((each: Recorded) =>
      each.presentmentDate.slice(11, 13),
    )

  test('are sorted by the time of the transaction, in either order', async () => {
    const at = (hour: number) => ({ presentedAtMs: Date.UTC(2026, 5, 15, hour) })
    await reports.settled(at(3), at(1), at(2))
    const id = await reports.aggregationId()
    expect(await times(id)).toEqual(['01', '02', '03'])
    for (const sortOrder of ['ASC', 'asc'])
      expect(await times(id, { sortValue: 'SettlementTxDate', sortOrder })).toEqual(['01', '02', '03'])
    for (const sortOrder of ['DESC', 'desc'])
      expect(await times(id, { sortValue: 'SettlementTxDate', sortOrder })).toEqual(['03', '02', '01'])
  })

  test.each(['ASC', 'DESC'])(
    'in order %s come in answers without gap and repeat while rows arrive',
    async (sortOrder) => {
      const { file } = await reports.settled({})
      const { storage } = tollgate.gateway
      const first = await storage.settlementRow(file, 1)
      if (!first) throw new Error('no row is stored')
      /** Copies of the row at a time, which many of them share. */
      const add = (from: number, count: number, atMs: (number: number) => number) =>
        storage.commit({
          id: `rows ${from}`,
          expectedVersions: [],
          rows: {
            settlement_row: Array.from({ length: count }, (_, index) => {
              const number = from + index
              const row = rowJson({ ...rowIn(first), settlementId: String(number) }, undefined)
              return { ...first, number, row, presented_at_ms: atMs(number) }
            }),
          },
        })
      const stored = limits.reportRecordsMax + 5
      for (let from = 2; from <= stored; from += 500)
        await add(from, Math.min(500, stored + 1 - from), (number) => 1000 + (number % 7))
      const numbersOf = ({ records }: { readonly records: readonly Recorded[] }) =>
        records.map(({ settlement }) => settlement.id)
      const id = await reports.aggregationId()
      const one = (await reports.get(`${V1}/${id}`, { sortOrder })).body
      // Rows arrive before and after the place of the first answer.
      await add(stored + 1, 10, () => 1)
      await add(stored + 11, 10, () => Date.UTC(2030, 0))
      const two = (await reports.get(`${V1}/${id}`, { sortOrder, after: one.next })).body
      expect([one.records.length, two.records.length, two.next]).toEqual([limits.reportRecordsMax, 15, undefined])
      const numbers = [...numbersOf(one), ...numbersOf(two)]
      expect(new Set(numbers).size).toBe(numbers.length)
      const all = ['S1', ...Array.from({ length: stored - 1 }, (_, index) => String(index + 2))]
      expect(all.filter((number) => !numbers.includes(number))).toEqual([])
    },
  )

  test('of an unknown settlement are not found; its id has no currency and no page', async () => {
    expect(summary(await reports.get(`${V1}/${'0'.repeat(32)}`))).toEqual([404, '700.400.580'])
    expect(summary(await reports.get(`${V1}/x`))[0]).toBe(404)
    for (const [name, value] of Object.entries({
      currency: 'EUR',
      pageNo: '1',
      after: 'x',
      'date.from': '2026-06-01',
    })) {
      const { body } = await reports.get(`${V1}/${'0'.repeat(32)}`, { [name]: value })
      expect(body.result.parameterErrors.map((error: { name: string }) => error.name)).toContain(name)
    }
  })

  test('a settlement of another channel of the merchant is not shown', async () => {
    await reports.settled({})
    const id = await reports.aggregationId()
    const { body } = await tollgate.manage('POST', '/entities', {
      kind: 'channel',
      name: 'Second',
      parentId: sandboxIds.merchant,
    })
    expect(summary(await reports.get(`${V1}/${id}`, { entityId: body.id }))).toEqual([400, '700.400.700'])
    expect((await reports.get(V1, { ...june, entityId: body.id })).body.aggregations).toEqual([])
    expect((await reports.get(`${V1}/${id}`, { entityId: sandboxIds.merchant })).status).toBe(200)
  })
})
