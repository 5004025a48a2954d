import type { TestGateway } from '@tollgate/gateway/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { clearedGateway } from '../testing/cleared-connector.ts'
import { payCleared, postAll, runToEnd, settlementFileOf, settlementRowOf } from '../testing/settlement-files.ts'
import { readFiles } from './read-files.task.ts'
import { recordLines } from './record-lines.ts'

let tollgate: TestGateway
beforeEach(async () => {
  tollgate = await clearedGateway()
})
afterEach(() => tollgate.close())

test('the first pages of an export are short, before it is known whether there are payments', async () => {
  const { reference } = await payCleared(tollgate)
  await postAll(tollgate)
  const file = settlementFileOf([settlementRowOf({ connectorTxId1: reference })])
  const { body } = await tollgate.manage('POST', '/settlement-files?name=a.csv', file)
  await runToEnd(readFiles(tollgate.gateway))
  const { storage } = tollgate.gateway
  const pageRows: number[] = []
  const watched: typeof storage = {
    ...storage,
    merchantSettlementRowsAfter(...position) {
      pageRows.push(position[5])
      return storage.merchantSettlementRowsAfter(...position)
    },
  }
  const merchant = (await storage.settlementRow(String(body.id), 1))?.merchant ?? ''
  const search = { merchant, from: '2000-01-01', to: '2099-12-31', merchantReferences: false }
  const pieces: Uint8Array[] = []
  for await (const piece of recordLines({ ...tollgate.gateway, storage: watched }, search)) pieces.push(piece)
  expect(pieces).toHaveLength(2)
  expect(pageRows).toEqual([limits.recordsPerPage, limits.recordsPerPage])
})
