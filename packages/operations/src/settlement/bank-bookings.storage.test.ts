import type { SettlementRow } from '@tollgate/domain'
import type { TestGateway } from '@tollgate/gateway/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { clearedGateway } from '../testing/cleared-connector.ts'
import { runToEnd, settlementFileOf, settlementRowOf } from '../testing/settlement-files.ts'
import { readFiles } from './read-files.task.ts'
import { receiveFile } from './receive-file.ts'

// Bookings that several messages of a bank state: the notification of the day (camt.054) and its statement (camt.053).

let tollgate: TestGateway
beforeEach(async () => {
  tollgate = await clearedGateway()
})
afterEach(() => tollgate.close())

/** Reads a message, and returns its facts and the numbers of the rows that are stored. */
async function read(format: 'camt.053' | 'camt.054', rows: readonly SettlementRow[], changes = {}) {
  const account = { account: 'DE02701500000000594937', currency: 'EUR', fileId: `${format}-1` }
  const balance = format === 'camt.053' ? { openingMinor: 0 } : {}
  const chunks = [settlementFileOf(rows, { ...account, ...balance, ...changes }, format)]
  const received = await receiveFile(tollgate.gateway, { name: 'f.xml', arrivedBy: 'upload', chunks })
  if (!('file' in received)) throw new Error(`the file was refused: ${received.kind}`)
  await runToEnd(readFiles(tollgate.gateway))
  const { storage } = tollgate.gateway
  const file = await storage.settlementFile(received.file.id)
  const stored = await storage.settlementRowsAfter(received.file.id, 0, 9_999)
  return {
    state: file?.state,
    rowsRead: file?.rows_read,
    repeatedRows: JSON.parse(file?.facts ?? '{}').repeatedRows,
    stored: stored.map(({ number }) => number),
  }
}

async function bankBalance(): Promise<number> {
  const { body } = await tollgate.manage('GET', '/ledger/balances')
  const rows: readonly Readonly<Record<string, string>>[] = body.balances
  return rows
    .filter(({ account }) => account === 'bank')
    .reduce((sum, { debitsLessCredits }) => sum + Number(debitsLessCredits), 0)
}

const collection = (changes: Partial<SettlementRow> = {}) =>
  settlementRowOf({ settlementId: 'B-1', uniqueId: 'a'.repeat(32), feeMinor: undefined, ...changes })

test.each([
  ['camt.054', 'camt.053'],
  ['camt.053', 'camt.054'],
] as const)('a booking in %s and in %s counts once', async (first, second) => {
  const rows = [collection(), collection({ uniqueId: 'b'.repeat(32) })]
  expect(await read(first, rows)).toEqual({ state: 'read', rowsRead: 2, repeatedRows: undefined, stored: [1, 2] })
  expect(await bankBalance()).toBe(184)
  // The order of the transactions, and the details that are stated, may differ.
  const again = rows.toReversed().map((row) => ({ ...row, holder: 'Jane Jones' }))
  expect(await read(second, [...again, collection({ settlementId: 'B-2' })])).toEqual({
    state: 'read',
    rowsRead: 3,
    repeatedRows: 2,
    stored: [3],
  })
  expect(await bankBalance()).toBe(276)
})

test('equal rows of a booking are as many rows as in the message with the most', async () => {
  expect((await read('camt.054', [collection(), collection()])).stored).toEqual([1, 2])
  expect((await read('camt.053', [collection(), collection(), collection()])).stored).toEqual([3])
  expect(await bankBalance()).toBe(276)
})

test.each([
  ['of another account', { account: 'DE89370400440532013000' }, {}],
  ['with another reference', {}, { settlementId: 'B-2' }],
  ['of another day', {}, { settledOn: '2026-06-17' }],
  ['of another amount', {}, { amountMinor: 9100, settlementAmountMinor: 9100 }],
  ['without a reference', {}, { settlementId: undefined }],
])('a booking %s counts', async (_name, facts, changes) => {
  await read('camt.054', [collection()])
  expect((await read('camt.053', [collection(changes)], facts)).stored).toEqual([1])
})

test('rows of other formats state no booking', async () => {
  await read('camt.054', [collection()])
  const received = await receiveFile(tollgate.gateway, {
    name: 'f.csv',
    arrivedBy: 'upload',
    chunks: [settlementFileOf([collection()])],
  })
  await runToEnd(readFiles(tollgate.gateway))
  const id = 'file' in received ? received.file.id : ''
  expect(await tollgate.gateway.storage.settlementRow(id, 1)).toMatchObject({ booking: null })
})

test('a process that is killed between two pages of the second message skips the same rows', async () => {
  const count = 2 * limits.settlementRowsPerStep + 10
  const rows = Array.from({ length: count }, () => collection())
  await read('camt.054', rows)
  const facts = { account: 'DE02701500000000594937', currency: 'EUR', fileId: 'S', openingMinor: 0 }
  const chunks = [settlementFileOf([...rows, collection()], facts, 'camt.053')]
  const received = await receiveFile(tollgate.gateway, { name: 'f.xml', arrivedBy: 'upload', chunks })
  const id = 'file' in received ? received.file.id : ''
  const { storage } = tollgate.gateway
  // Each new task begins as after a start of the process.
  for (let start = 0; start < 30 && (await storage.settlementFile(id))?.state !== 'read'; start += 1) {
    const task = readFiles(tollgate.gateway)
    for (let step = 0; step <= start; step += 1) await task.step()
  }
  const file = await storage.settlementFile(id)
  expect(file).toMatchObject({ state: 'read', rows_read: count + 1 })
  expect(JSON.parse(file?.facts ?? '{}').repeatedRows).toBe(count)
  expect((await storage.settlementRowsAfter(id, 0, 9)).map(({ number }) => number)).toEqual([count + 1])
})
