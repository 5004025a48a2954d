import type { TestGateway } from '@tollgate/gateway/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { clearedGateway } from '../testing/cleared-connector.ts'
import { testLoop } from '../testing/loop-times.ts'
import { payCleared, postAll, runToEnd, settlementFileOf, settlementRowOf } from '../testing/settlement-files.ts'
import { readFiles } from './read-files.task.ts'
import { recordLines } from './record-lines.ts'

let tollgate: TestGateway
beforeEach(async () => {
  tollgate = await clearedGateway()
})
afterEach(() => tollgate.close())

/**
 * Exports one row. Each read takes 200 ms, of which the event loop is busy for three quarters.
 *
 * @param paidUnits units that payments commit meanwhile
 */
async function exportRow(paidUnits: number) {
  const { reference } = await payCleared(tollgate)
  await postAll(tollgate)
  const file = settlementFileOf([settlementRowOf({ connectorTxId1: reference })])
  const { body } = await tollgate.manage('POST', '/settlement-files?name=a.csv', file)
  await runToEnd(readFiles(tollgate.gateway))
  const { storage, commands } = tollgate.gateway
  const eventLoop = testLoop()
  const pageRows: number[] = []
  let units = 0
  const watched: typeof storage = {
    ...storage,
    merchantSettlementRowsAfter(...position) {
      pageRows.push(position[5])
      eventLoop.pass(200, 0.75)
      units += paidUnits
      return storage.merchantSettlementRowsAfter(...position)
    },
  }
  const merchant = (await storage.settlementRow(String(body.id), 1))?.merchant ?? ''
  const search = { merchant, from: '2000-01-01', to: '2099-12-31', merchantReferences: false }
  const parts = { ...tollgate.gateway, storage: watched, commands: { ...commands, units: () => units }, eventLoop }
  const pieces: Uint8Array[] = []
  for await (const piece of recordLines(parts, search)) pieces.push(piece)
  return { pieces, pageRows, waitsMs: eventLoop.waitsMs }
}

test('beside payments, pages are short, with a pause that grows with the load', async () => {
  const { pieces, pageRows, waitsMs } = await exportRow(1_000)
  expect(pieces).toHaveLength(2)
  expect(pageRows).toEqual([limits.recordsPerPage, limits.recordsPerPage])
  expect(waitsMs).toEqual([3 * limits.recordsBusyPauseMs])
})

test('the first page is short, before it is known that there are no payments', async () => {
  const { pageRows, waitsMs } = await exportRow(0)
  expect(pageRows).toEqual([limits.recordsPerPage, limits.recordsPerIdlePage])
  expect(waitsMs).toEqual([])
})
