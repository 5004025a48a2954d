import type { TestGateway } from '@tollgate/gateway/testing'
import type { SettlementRowRow } from '@tollgate/storage'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { clearedGateway } from '../testing/cleared-connector.ts'
import { payCleared, postAll, runToEnd, settlementFileOf, settlementRowOf } from '../testing/settlement-files.ts'
import { matchByHand, undoMatch } from './match-by-hand.ts'
import { readFiles } from './read-files.task.ts'
import { recordMaker } from './record-lines.ts'
import { rowIn, rowJson, rowsWithPayment } from './stored-row.ts'

let tollgate: TestGateway
beforeEach(async () => {
  tollgate = await clearedGateway()
})
afterEach(() => tollgate.close())

/** Reads a file with one row about a payment. @param reference that the row states; undefined: that of the payment */
async function settled(reference?: string) {
  const paid = await payCleared(tollgate)
  await postAll(tollgate)
  const row = settlementRowOf({ connectorTxId1: reference ?? paid.reference })
  const { body } = await tollgate.manage('POST', '/settlement-files?name=a.csv', settlementFileOf([row]))
  await runToEnd(readFiles(tollgate.gateway))
  const stored = () => tollgate.gateway.storage.settlementRow(String(body.id), 1)
  return { paid, stored, first: await present(stored) }
}

const withPayment = (row: SettlementRowRow) => rowsWithPayment([row])[0]

async function present<Row>(read: () => Promise<Row | undefined>): Promise<Row> {
  const row = await read()
  if (!row) throw new Error('the row is not stored')
  return row
}

test('a matched row without references has the record of one with them', async () => {
  const { first } = await settled()
  const older = { ...first, row: rowJson(rowIn(first), undefined) }
  expect([withPayment(first)?.payment, withPayment(older)?.payment]).toEqual([expect.anything(), undefined])
  const recordsOf = recordMaker(tollgate.gateway)
  const [record] = await recordsOf([first], first.merchant)
  expect(record?.ConnectorTxId2).toMatch(/^0100[0-9]{38}$/)
  expect(await recordsOf([older], older.merchant)).toEqual([record])
})

test('a match by hand stores the references of its transaction, and undoing it removes them', async () => {
  const { paid, stored, first } = await settled('UNKNOWN')
  expect(withPayment(first)?.payment).toBeUndefined()
  await matchByHand(tollgate.gateway, first, { transactionId: paid.id, reason: 'confirmed' })
  const matched = await present(stored)
  expect(withPayment(matched)?.payment?.connectorTxId2).toMatch(/^0100[0-9]{38}$/)
  expect(rowIn(matched)).toEqual(rowIn(first))
  await undoMatch(tollgate.gateway, matched, 'mistake')
  expect((await present(stored)).row).toBe(first.row)
})
