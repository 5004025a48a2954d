import type { TestGateway } from '@tollgate/gateway/testing'
import type { BankEntry } from '@tollgate/settlement-files'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { bankEntriesIn, entryOf, ledgerBalances, readBankFile, statementOf } from '../testing/bank-statements.ts'
import { clearedGateway } from '../testing/cleared-connector.ts'
import { payCleared, postAll, runToEnd, settlementFileOf, settlementRowOf } from '../testing/settlement-files.ts'
import { explainAgain } from './explain-again.task.ts'

let tollgate: TestGateway
beforeEach(async () => {
  tollgate = await clearedGateway()
})
afterEach(() => tollgate.close())

const read = (content: Uint8Array) => readBankFile(tollgate, content)
const balances = () => ledgerBalances(tollgate)
const bankEntries = (state?: string) => bankEntriesIn(tollgate, state)

describe('the payment of an acquirer', () => {
  /** A settlement file with a sum of 91.10 EUR. */
  async function readAcquirerFile(fileId = 'NORTH-7'): Promise<string> {
    const paid = await payCleared(tollgate)
    await postAll(tollgate)
    return read(settlementFileOf([settlementRowOf({ connectorTxId1: paid.reference })], { fileId }))
  }
  const credit = (changes: Partial<BankEntry> = {}) =>
    entryOf({ booking: 'INCOMING TRANSFER', amountMinor: 9110, endToEndId: 'NORTH-7', ...changes })
  const settled = ['acquirerFee 0.90', 'bank 91.10', 'merchantPending -92.00']

  test('is explained by its settlement file, whose rows have cleared what it owed', async () => {
    const fileId = await readAcquirerFile()
    expect(await balances()).toEqual(settled)
    await read(statementOf([credit()]))
    expect(await balances()).toEqual(settled)
    const [entry] = await bankEntries('explained')
    expect(entry.explanation).toEqual({
      kind: 'settlementFile',
      settlementFiles: [fileId],
      acquirer: 'north',
      amount: '91.10',
    })
    expect(await tollgate.gateway.storage.settlementFile(fileId)).toMatchObject({ bank_entry_id: entry.id })
  })

  test('is explained when the file arrives after the statement of the bank', async () => {
    await read(statementOf([credit()]))
    expect(await balances()).toEqual(['bank 91.10', 'suspenseUnmatched -91.10'])
    await readAcquirerFile()
    await runToEnd(explainAgain(tollgate.gateway))
    expect(await bankEntries()).toEqual([])
    expect(await balances()).toEqual(settled)
  })

  test('is in suspense with another amount; what is missing remains owed when an operator assigns it', async () => {
    const fileId = await readAcquirerFile()
    await read(statementOf([credit({ amountMinor: 9000 })]))
    const [{ id, reason }] = await bankEntries()
    expect(reason).toBe('fileAmount')
    const before = await balances()
    const path = `/bank-entries/${id}/assignment`
    const body = { to: 'settlementFile', id: fileId, reason: 'deducted 1.10' }
    expect(await tollgate.manage('PUT', path, body)).toMatchObject({ status: 200 })
    expect(await balances()).toEqual([
      'acquirerFee 0.90',
      'acquirerReceivable 1.10',
      'bank 90.00',
      'merchantPending -92.00',
    ])
    expect(await tollgate.manage('DELETE', path)).toMatchObject({ status: 200 })
    expect(await balances()).toEqual(before)
  })

  test('of several files is assigned to them, if they add up to it, as after one payment a file', async () => {
    const ids = [await readAcquirerFile('NORTH-7'), await readAcquirerFile('NORTH-8')]
    await read(statementOf([credit({ amountMinor: 18_220, endToEndId: 'NORTH-7+8' })]))
    const [{ id, reason }] = await bankEntries()
    expect([reason, await balances()]).toEqual([
      'noCounterpart',
      ['acquirerFee 1.80', 'bank 364.40', 'merchantPending -184.00', 'suspenseUnmatched -182.20'],
    ])
    const path = `/bank-entries/${id}/assignment`
    const assign = (named: object) =>
      tollgate.manage('PUT', path, { to: 'settlementFile', reason: 'advice of the acquirer', ...named })
    const third = await readAcquirerFile('NORTH-9')
    expect((await assign({ ids: [...ids, third] })).status).toBe(409)
    expect((await assign({ ids: [ids[0], ids[0]] })).status).toBe(400)
    expect((await assign({ ids: [ids[0], 'f'.repeat(32)] })).status).toBe(404)
    expect((await assign({ ids, id: ids[0] })).status).toBe(400)
    expect((await assign({ ids, to: 'payout' })).status).toBe(400)
    expect((await assign({ ids })).body).toMatchObject({
      state: 'assigned',
      explanation: { kind: 'settlementFile', settlementFiles: ids, acquirer: 'north', amount: '182.20' },
    })
    expect(await balances()).toEqual(['acquirerFee 2.70', 'bank 273.30', 'merchantPending -276.00'])
    // Neither of the files can be paid by a second entry.
    await read(statementOf([credit()], { fileId: 'STMT2', sequence: 2, openingMinor: 18_220 }))
    expect(await bankEntries()).toMatchObject([{ reason: 'fileState' }])
    expect((await tollgate.manage('DELETE', path)).status).toBe(200)
    const { storage } = tollgate.gateway
    expect(
      (await Promise.all(ids.map((each) => storage.settlementFile(each)))).map((file) => file?.bank_entry_id),
    ).toEqual([null, null])
  })

  test('of a file that another entry pays is unmatched', async () => {
    await readAcquirerFile()
    await read(statementOf([credit(), credit()]))
    expect(await bankEntries()).toMatchObject([{ reason: 'fileState' }])
    expect(await balances()).toEqual([
      'acquirerFee 0.90',
      'bank 182.20',
      'merchantPending -92.00',
      'suspenseUnmatched -91.10',
    ])
  })
})
