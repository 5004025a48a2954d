import { DAY_MS, HOUR_MS, MINUTE_MS, recordHeader } from '@tollgate/contract'
import type { SettlementRow } from '@tollgate/domain'
import type { ClearingBatchRow, PostingRow, SettlementRowRow } from '@tollgate/storage'
import { afterEach, describe, expect, test } from 'vitest'
import { randomOf } from '../support/random.ts'
import { businessDayAt, nextDay } from './business-day.ts'
import { comparedColumns, countsOf, expectedLine, expectedSums, storedSums } from './expectations.ts'
import { expectedBalances, imbalances, statedBalances } from './expected-balances.ts'
import { createHistory, type History } from './history.ts'
import { type Acquirer, type Installation, startInstallation } from './installation.ts'
import { excessesOf } from './payment-properties.ts'
import { readCsv, writeCsv } from './read-csv.ts'
import { createSettlementFiles, type DeliveredFile, type SettlementFiles } from './settlement-files.ts'
import type { Expected, ExpectedRow } from './spoil.ts'

// Random payments at the test hosts of two acquirers, whose settlement files have faults. The status of each row
// follows from the transaction that the acquirer means, and from the fault that the test has added: the rules of
// matching are not used for it.

const isLong = process.env['TOLLGATE_TEST_LONG'] === '1'
const seeds = [isLong ? Math.floor(Math.random() * 2 ** 31) : 1]
const [TRANSACTIONS, DAYS] = isLong ? [10_000, 20] : [200, 3]
/** The number of requests between two readings of files. */
const BATCH = isLong ? 200 : 50
/** The share of rows with a fault, or without some references. */
const FAULTY = 0.3
const ROWS_MAX = 1_000_000
/** The time after the end of a business day in which its file is made. */
const FILE_DELAY_MS = HOUR_MS

let installation: Installation | undefined
afterEach(() => installation?.close())

interface Settled {
  readonly installation: Installation
  readonly history: History
  readonly files: SettlementFiles
}

/** Makes a history over several days, and reads the settlement file of each day that has ended. */
async function settleHistory(started: Installation, seed: number): Promise<Settled> {
  const { tollgate, acquirers, postAndClear, readAll, matchOpenRows } = started
  const history = createHistory(started, seed)
  const files = createSettlementFiles(started, history, seed)
  const now = () => tollgate.gateway.clock.now()
  const next = new Map<Acquirer, string>(acquirers.map((each) => [each, businessDayAt(each.cutOff, now())]))
  const random = randomOf(seed, 0)

  /** Receives the files of the days that have ended; now and then before their payments are in the ledger. */
  async function receive(share: number): Promise<void> {
    const isEarly = random.chance(0.2)
    if (!isEarly) await postAndClear()
    for (const acquirer of acquirers) {
      const current = businessDayAt(acquirer.cutOff, now() - FILE_DELAY_MS)
      for (let day = next.get(acquirer) ?? ''; day < current; day = nextDay(day)) {
        await files.deliver(acquirer, day, share)
        next.set(acquirer, nextDay(day))
      }
    }
    await readAll()
    if (isEarly) await postAndClear()
  }

  while (history.transactions.length < TRANSACTIONS) {
    await history.pay(BATCH, (2 * DAYS * DAY_MS) / TRANSACTIONS)
    await receive(FAULTY)
  }
  // Rows that were late are in the files of the days after the last payments.
  for (let days = 0; days < 3; days += 1) {
    tollgate.clock.nowMs += DAY_MS
    await receive(0)
  }
  // A reversal is matched by the sweep after that of its chargeback.
  for (let sweep = 0; sweep < 2; sweep += 1) await matchOpenRows()
  // The ledger reads transactions some seconds after they were made.
  tollgate.clock.nowMs += MINUTE_MS
  await postAndClear()
  return { installation: started, history, files }
}

const rowsOf = ({ tollgate }: Installation, { id }: DeliveredFile): Promise<readonly SettlementRowRow[]> =>
  tollgate.gateway.storage.settlementRowsAfter(id, 0, ROWS_MAX)

async function postingsOf({ tollgate, merchants }: Installation): Promise<readonly PostingRow[]> {
  const { storage } = tollgate.gateway
  const pages = merchants.map(({ id }) => storage.postingsAfter(id, 0, '', '', ROWS_MAX, ROWS_MAX))
  return (await Promise.all(pages)).flat()
}

/** The result of a row, as far as it is expected. */
function resultOf({ status, transaction_id: id, candidates, reason }: SettlementRowRow): Expected {
  if (status === 'MULTIPLE_MATCHES') return { status, ids: JSON.parse(candidates ?? '[]') }
  return status === 'MATCHED' ? { status, ids: id === null ? [] : [id] } : { status: 'NOT_MATCHED', reason }
}

/** Rows with their results. */
type Results = readonly { readonly row: ExpectedRow; readonly stored: SettlementRowRow }[]

/**
 * The rows with another result than the model, with what was expected. Of a row that two files have, exactly one is
 * matched: either one, if both files are read before the transaction is in the ledger.
 */
async function differences({ installation: { tollgate }, files }: Settled) {
  const groups = new Map<string, Results>()
  for (const file of files.delivered) {
    expect(await tollgate.gateway.storage.settlementFile(file.id)).toMatchObject({
      state: 'read',
      rows: file.rows.length,
      rows_read: file.rows.length,
    })
    const rows = await tollgate.gateway.storage.settlementRowsAfter(file.id, 0, ROWS_MAX)
    expect(rows.map(({ number }) => number)).toEqual(file.rows.map((_, index) => index + 1))
    for (const [index, row] of file.rows.entries()) {
      const stored = rows[index]
      if (!stored) continue
      const key = row.fault === 'repeatedLater' ? `${row.means?.id}` : `${file.id} ${index}`
      groups.set(key, [...(groups.get(key) ?? []), { row, stored }])
    }
  }
  return [...groups.values()].flatMap((results) => {
    const texts = (all: readonly Expected[]) => all.map((each) => JSON.stringify(each)).toSorted()
    const expected = texts(results.map(({ row }) => row.expected))
    const areEqual = texts(results.map(({ stored }) => resultOf(stored))).join() === expected.join()
    return areEqual ? [] : results.map(({ row, stored }) => describeDifference(row, stored))
  })
}

const describeDifference = ({ row, expected, means, fault }: ExpectedRow, stored: SettlementRowRow): string =>
  `${row.kind} ${row.type} of ${means?.type} ${means?.id} (${fault}): expected ${JSON.stringify(expected)}, ` +
  `is ${JSON.stringify(resultOf(stored))} by ${stored.reason} ${stored.row}`

async function expectLedger({ installation: started, history }: Settled): Promise<void> {
  expect(storedSums(await postingsOf(started))).toEqual(expectedSums(history, started))
}

/** Debits and credits are equal, and what is owed, received and unexplained follows from payments and rows. */
async function expectBalances({ installation: started, history, files }: Settled): Promise<void> {
  const { body } = await started.tollgate.manage('GET', '/ledger/balances')
  expect(imbalances(body.balances)).toEqual(new Map())
  const rows = files.delivered.flatMap((file) => file.rows)
  expect(statedBalances(body.balances)).toEqual(expectedBalances(expectedSums(history, started), rows))
}

/** No payment is captured, refunded or charged back for too much, and none is settled twice. */
async function expectPayments({ installation: started, history, files }: Settled): Promise<void> {
  const { storage } = started.tollgate.gateway
  const roots = [...new Set(history.transactions.map(({ rootId }) => rootId))]
  const trees = await Promise.all(roots.map((id) => storage.treeOf(id)))
  expect(trees.flatMap((tree) => excessesOf(tree?.transactions ?? []))).toEqual([])
  const rows = (await Promise.all(files.delivered.map((file) => rowsOf(started, file)))).flat()
  const settledIds = rows.flatMap(({ transaction_id: id, row }) => {
    const { kind, status, cashflow, type }: SettlementRow = JSON.parse(row)
    const isSettlement = kind === 'SETTLED' && status === 'SUCCESS' && (cashflow === 'POS') === (type === 'DEBIT')
    return id !== null && isSettlement ? [id] : []
  })
  expect(settledIds.length).toBe(new Set(settledIds).size)
}

/** Each business day with cleared transactions has one batch, and the acquirer has agreed to its totals. */
async function expectBatches({ installation: { tollgate, acquirers }, history }: Settled): Promise<void> {
  for (const acquirer of acquirers) {
    const batches = await tollgate.gateway.storage.clearingBatchesBefore(acquirer.name, ROWS_MAX, ROWS_MAX)
    const cleared = history.transactions.filter(
      ({ acquirer: { name }, status, type }) => name === acquirer.name && status === 'approved' && type !== 'PA',
    )
    const days = new Set(cleared.filter(({ type }) => type !== 'RV').map(({ day }) => day))
    const withTotals = batches.filter(({ totals }) => totals !== '{}')
    expect(withTotals.map(dayOf).toSorted()).toEqual([...days].toSorted())
    expect(batches.filter(({ state }) => state !== 'agreed')).toEqual([])
  }
}

const dayOf = ({ day }: ClearingBatchRow): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

/** The chargebacks of matched rows are recorded in their payments, unless their amount is refunded. */
async function expectChargebacks({ installation: started, history, files }: Settled): Promise<void> {
  const { storage } = started.tollgate.gateway
  const recorded: string[] = []
  for (const file of files.delivered) {
    for (const { chargeback_id: id, transaction_id: of } of await rowsOf(started, file)) {
      const [chargeback] = id ? await storage.transactions([id]) : []
      if (chargeback) recorded.push(`${chargeback.type} ${of} ${chargeback.amount_minor}`)
    }
  }
  const expected = history.disputes.flatMap(({ stage, of, amountMinor, isRecordable }) =>
    isRecordable ? [`${stage === 'CHARGEBACK' ? 'CB' : 'CR'} ${of.id} ${amountMinor}`] : [],
  )
  expect(recorded.toSorted()).toEqual(expected.toSorted())
  expect(await storage.unrecordedChargebacks('', '', '', 0, 10)).toEqual([])
}

/** Whether the merchant of a row is known: that of its transaction, also if its chargeback could not be recorded. */
const hasMerchant = (expected: ExpectedRow['expected']): boolean =>
  expected.status === 'MATCHED' || (expected.status === 'NOT_MATCHED' && expected.reason.startsWith('not recorded'))

/** The reconciliation file of each merchant has the matched rows of its payments, and can be read and written again. */
async function expectRecords({ installation: { tollgate, merchants }, files }: Settled): Promise<void> {
  for (const [number, { id }] of merchants.entries()) {
    const path = `/reconciliation-records/${id}?from=2026-05-01&to=2026-07-31`
    const { text } = await tollgate.manage('GET', path)
    const [header = [], ...records] = readCsv(text)
    expect(writeCsv([header, ...records])).toBe(text)
    expect(writeCsv([header])).toBe(recordHeader({ merchantReferences: false }))
    const lines = records.map((record) => comparedColumns.map((name) => record[header.indexOf(name)]).join(' '))
    const expected = files.delivered.flatMap(({ rows }) =>
      rows.filter((row) => row.means?.merchant === number && hasMerchant(row.expected)),
    )
    expect(countsOf(lines)).toEqual(countsOf(expected.map(expectedLine)))
  }
}

/** The same file again, and other rows in a file with the same id: nothing changes. */
async function expectNoChangeByRepeats(settled: Settled): Promise<void> {
  const { installation: started, files } = settled
  const { tollgate, readAll, matchOpenRows, postAndClear } = started
  const stateNow = async () => ({
    rows: (await Promise.all(files.delivered.map((file) => rowsOf(started, file)))).flat(),
    postings: await postingsOf(started),
  })
  const before = await stateNow()
  for (const { id, content, rows, withOtherRows } of files.delivered) {
    const same = await tollgate.manage('POST', '/settlement-files?name=again', content)
    expect([same.status, same.body.id]).toEqual([200, id])
    if (rows.length < 2) continue
    const other = await tollgate.manage('POST', '/settlement-files?name=other', withOtherRows())
    expect(other.status).toBe(201)
    await readAll()
    const { body } = await tollgate.manage('GET', `/settlement-files/${other.body.id}`)
    expect(body).toMatchObject({ state: 'quarantined', rowsRead: 0, fault: { reason: 'REPEATED_ID' } })
  }
  await matchOpenRows()
  await postAndClear()
  expect(await stateNow()).toEqual(before)
}

describe.each(seeds)('the random history %i', (seed) => {
  test('is settled as the model says', async () => {
    installation = await startInstallation()
    const settled = await settleHistory(installation, seed)
    const { history, files } = settled
    expect(await differences(settled)).toEqual([])
    await expectLedger(settled)
    await expectBalances(settled)
    await expectPayments(settled)
    await expectBatches(settled)
    await expectChargebacks(settled)
    await expectRecords(settled)
    await expectNoChangeByRepeats(settled)
    const rows = files.delivered.flatMap((file) => file.rows)
    const statuses = countsOf(rows.map(({ expected }) => expected.status))
    console.log(`seed ${seed}: ${history.transactions.length} transactions, ${history.disputes.length} disputes`)
    console.log(`${files.delivered.length} files, rows: ${JSON.stringify([...statuses])}`)
    console.log(`faults: ${JSON.stringify([...files.counts])}`)
    for (const status of ['MATCHED', 'MULTIPLE_MATCHES', 'NOT_MATCHED'])
      expect(statuses.get(status), status).toBeGreaterThan(0)
  }, 7_200_000)
})
