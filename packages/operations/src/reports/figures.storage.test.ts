import { recordColumns } from '@tollgate/contract'
import type { SettlementRow } from '@tollgate/domain'
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

describe('the figures', () => {
  /** The minor units of an amount of two decimals. */
  const minor = (amount: string) => Math.round(Number(amount) * 100)
  const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0)

  const kinds: readonly Partial<SettlementRow>[] = [
    {},
    { type: 'REFUND', cashflow: 'NEG', feeMinor: undefined },
    { kind: 'CHARGEBACK', cashflow: 'NEG', reason: '10.4' },
    { kind: 'FEE', type: 'CAPTURE_FEE', cashflow: 'NEG', feeMinor: undefined },
    { kind: 'FEE', type: 'MONTHLY', cashflow: 'POS', feeMinor: undefined },
    { status: 'FAILED' },
  ]

  /** Rows of all kinds with odd amounts, of which one is matched and undone by hand. */
  async function settleAll(): Promise<void> {
    const paid = await payCleared(tollgate)
    await postAll(tollgate)
    const rows = Array.from({ length: 60 }, (_, index) => {
      const settlementAmountMinor = 1 + ((index * 7919) % 99_991)
      const settlementId = `S${index % 3}`
      return settlementRowOf({
        ...kinds[index % kinds.length],
        settlementAmountMinor,
        settlementId,
        amountMinor: index,
      })
    })
    const file = await reports.settle(rows)
    for (const number of [1, 7]) {
      const row = await tollgate.gateway.storage.settlementRow(file, number)
      const matched =
        row &&
        (await matchByHand(tollgate.gateway, row, { transactionId: paid.id, reason: 'r', differingAmount: true }))
      if (matched?.kind === 'changed') await undoMatch(tollgate.gateway, matched.row, 'r')
    }
  }

  test('of a settlement are those of its records, to the cent', async () => {
    await settleAll()
    const { aggregations } = (await reports.get(V1, june)).body
    expect(aggregations.length).toBe(3)
    for (const aggregation of aggregations) {
      const records: Recorded[] = (await reports.get(`${V1}/${aggregation.id}`)).body.records
      const done = records.filter(({ settlement }) => settlement.status === 'SUCCESS')
      const fees = sumOf(done.map(({ settlement }) => minor(settlement.fee ?? '0')))
      const signed = sumOf(
        done.map(({ settlement }) => minor(settlement.amount) * (settlement.cashflow === 'POS' ? 1 : -1)),
      )
      expect([aggregation.records, aggregation.failed.count]).toEqual([
        String(records.length),
        String(records.length - done.length),
      ])
      expect(minor(aggregation.transactionFees.amount)).toBe(fees)
      expect(minor(aggregation.net)).toBe(signed - fees)
      const chargebacks = done.filter(({ recordType }) => recordType === 'CHARGEBACK')
      expect(aggregation.chargebacks.count).toBe(String(chargebacks.length))
      expect(minor(aggregation.chargebacks.amount)).toBe(
        sumOf(chargebacks.map(({ settlement }) => minor(settlement.amount))),
      )
    }
    expect(sumOf(aggregations.map((each: Aggregated) => Number(each.records)))).toBe(60)
  })

  /** The rows of a CSV without quoted cells, as objects without the empty cells. */
  const rowsIn = (csv: string) => {
    const [header = [], ...lines] = csv
      .trimEnd()
      .split('\n')
      .map((line) => line.split(';'))
    return lines.map((line) =>
      Object.fromEntries(header.map((name, index) => [name, line[index]]).filter(([, cell]) => cell !== '')),
    )
  }
  /** The values of an object by their dotted names. */
  const flat = (value: object, prefix = ''): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(value).flatMap(([name, member]) =>
        typeof member === 'object' && !Array.isArray(member)
          ? Object.entries(flat(member, `${prefix}${name}.`))
          : [[prefix + name, member]],
      ),
    )

  test.each([V1, V2])('are the same in JSON and CSV: %s', async (path) => {
    await settleAll()
    await reports.settled({ descriptor: 'Shop', holder: 'Jane Jones', last4: '0000', brand: 'VISA', bin: '420000' })
    const csv = async (url: string, parameters?: Parameters) =>
      rowsIn((await reports.get(url, parameters, { accept: 'text/csv' })).text)
    const { aggregations } = (await reports.get(path, june)).body
    expect(await csv(path, june)).toEqual(aggregations.map((each: object) => flat(each)))
    for (const { id } of aggregations) {
      const { records } = (await reports.get(`${path}/${id}`)).body
      const lines = await csv(`${path}/${id}`)
      expect(lines.length).toBe(records.length)
      for (const [index, record] of records.entries()) {
        const members = flat(record)
        for (const { name, apiName } of recordColumns) {
          if (apiName === '' || name === 'MatchedTransactions') continue
          const values = apiName.split(' or ').flatMap((each) => members[each] ?? [])
          expect([name, lines[index]?.[name]]).toEqual([name, values[0]])
        }
      }
    }
  })
})
