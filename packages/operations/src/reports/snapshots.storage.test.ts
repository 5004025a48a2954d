import type { Parameters, TestGateway } from '@tollgate/gateway/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { matchByHand, undoMatch } from '../settlement/match-by-hand.ts'
import { clearedGateway } from '../testing/cleared-connector.ts'
import { payCleared, postAll, settlementRowOf } from '../testing/settlement-files.ts'
import { type Aggregated, june, type Recorded, settlementReports, V1, V2 } from '../testing/settlement-reports.ts'

let tollgate: TestGateway
let reports: ReturnType<typeof settlementReports>
beforeEach(async () => {
  tollgate = await clearedGateway()
  reports = settlementReports(tollgate)
})
afterEach(() => tollgate.close())

describe('the pages of a snapshot', () => {
  const pageOf = async (id: string, pageNo: number, parameters: Parameters = {}) =>
    (await reports.get(`${V2}/${id}`, { pageNo: String(pageNo), ...parameters })).body

  const idsOf = (pages: readonly { readonly records: readonly Recorded[] }[]) =>
    pages.flatMap(({ records }) => records.map(({ payment }) => payment?.id))

  test('show the records of the first page, whatever is settled, matched or undone meanwhile', async () => {
    const { payments } = await reports.settled(...Array.from({ length: 204 }, () => ({})))
    const open = await payCleared(tollgate)
    const byHand = await payCleared(tollgate, { merchantTransactionId: 'by-hand-1' })
    const corrected = await payCleared(tollgate, { merchantTransactionId: 'corrected-1' })
    await postAll(tollgate)
    // Rows of the merchant that match no transaction: the first and the last of the settlement.
    const openFile = await reports.settle([
      settlementRowOf({ presentedAtMs: Date.UTC(2026, 5, 15, 1), amountMinor: 1 }),
    ])
    const handFile = await reports.settle([
      settlementRowOf({ presentedAtMs: Date.UTC(2026, 5, 15, 13), amountMinor: 1 }),
    ])
    const { storage } = tollgate.gateway
    const match = async (file: string, transactionId: string) => {
      const row = await storage.settlementRow(file, 1)
      return row && matchByHand(tollgate.gateway, row, { transactionId, reason: 'r', differingAmount: true })
    }
    expect(await match(handFile, byHand.id)).toMatchObject({ kind: 'changed' })
    const id = await reports.aggregationId()
    const first = await pageOf(id, 1)
    expect([first.pages, first.pageNo, first.records.length]).toEqual([3, 1, 100])
    const second = await pageOf(id, 2)
    const third = await pageOf(id, 3)
    // A new row sorts before all others, an open row is matched, and a match is corrected.
    const late = await payCleared(tollgate)
    await postAll(tollgate)
    await reports.settle([settlementRowOf({ connectorTxId1: late.reference, presentedAtMs: Date.UTC(2026, 5, 15) })])
    expect(await match(openFile, open.id)).toMatchObject({ kind: 'changed' })
    const matched = await storage.settlementRow(handFile, 1)
    expect(matched && (await undoMatch(tollgate.gateway, matched, 'r'))).toMatchObject({ kind: 'changed' })
    expect((await pageOf(id, 3)).records).toEqual(third.records)
    expect(await match(handFile, corrected.id)).toMatchObject({ kind: 'changed' })
    expect((await pageOf(id, 2)).records).toEqual(second.records)
    expect((await pageOf(id, 3)).records).toEqual(third.records)
    expect(third.records.at(-1)).toMatchObject({ payment: { id: byHand.id }, merchantTransactionId: 'by-hand-1' })
    expect([third.pages, third.records.length]).toEqual([3, 6])
    const settledIds = payments.map((payment) => payment.id)
    expect(idsOf([first, second, third])).toEqual([undefined, ...settledIds, byHand.id])
    // The next first page has a new snapshot.
    const again = [await pageOf(id, 1), await pageOf(id, 2), await pageOf(id, 3)]
    expect(idsOf(again)).toEqual([late.id, open.id, ...settledIds, corrected.id])
    const beyond = await reports.get(`${V2}/${id}`, { pageNo: '4' })
    expect(beyond.body.result).toMatchObject({
      code: '200.300.404',
      parameterErrors: [{ name: 'pageNo', value: '4', message: 'must be at most 3' }],
    })
    expect((await reports.get(`${V2}/${id}`, {}, { accept: 'text/csv' })).text.trimEnd().split('\n').length).toBe(101)
  })

  test('belong to one caller and one set of parameters, and expire', async () => {
    await reports.settled({}, { kind: 'FEE', type: 'CAPTURE_FEE', cashflow: 'NEG' }, { settlementId: 'S2' })
    const { aggregations } = (await reports.get(V1, june)).body
    const id = aggregations.find((each: Aggregated) => each.records === '2').id
    expect((await pageOf(id, 1)).records.length).toBe(2)
    expect((await pageOf(id, 1, { reconciliationType: 'FEE' })).records.length).toBe(1)
    expect((await pageOf(id, 1, { reconciliationType: 'CHARGEBACK' })).records).toEqual([])
    const summaryPage = await reports.get(V2, june)
    expect([summaryPage.body.pages, summaryPage.body.pageNo, summaryPage.body.aggregations.length]).toEqual([1, 1, 2])
    expect((await reports.get(V2, { ...june, reconciliationType: 'FEE' })).body.aggregations[0].records).toBe('1')
    const { storage } = tollgate.gateway
    const expiredMs = tollgate.clock.nowMs + 3_600_001
    expect((await storage.reportSnapshotsBefore(expiredMs, 9)).length).toBe(5)
    expect((await storage.reportPagesBefore(expiredMs, 9)).length).toBe(4)
  })

  test('are those of the summary, too, while settlements arrive', async () => {
    await reports.settled({}, { settledOn: '2026-06-17' })
    const before = (await reports.get(V2, june)).body
    await reports.settled({ settledOn: '2026-06-10' })
    const { storage } = tollgate.gateway
    const [page] = await storage.reportPagesBefore(Number.MAX_SAFE_INTEGER, 1)
    expect(JSON.parse(page?.items ?? '').length).toBe(before.aggregations.length)
    expect((await reports.get(V2, june)).body.aggregations.length).toBe(3)
  })
})
