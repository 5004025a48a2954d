import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limits } from './limits.ts'
import type { PositionedTransaction, Storage, TransactionFilter } from './port.ts'
import { positionAt, positionOf, timeOf } from './position.ts'
import { openPostgres } from './postgres/open.ts'
import { postgresReader } from './postgres/read.ts'
import { expectedVersion, transaction } from './testing/sample-rows.ts'
import { openSqlite } from './sqlite/open.ts'
import { newDatabase, removeDatabase } from './testing/postgres-database.ts'

const { merchant } = expectedVersion('')
const START_MS = 1_767_225_600_000

/** An id as in production: the time, then a random number. */
const idAt = (number: number) => positionAt(START_MS + number) + String((number * 7919) % 100_003).padStart(20, '0')

/** More rows than two steps read. Most are of one merchant; some are children or registrations. */
const rows = Array.from({ length: 3 * limits.scanEntries }, (_, number) => {
  const isRegistration = number % 100 === 7
  const rootNumber = number % 3 === 1 && number > 100 && !isRegistration ? 3 * Math.floor(number / 6) : number
  const changes = { merchant: rootNumber % 10 === 0 ? 'another' : merchant, created_at_ms: START_MS + number }
  if (!isRegistration) return transaction(idAt(number), idAt(rootNumber), changes)
  const id = String(number).padStart(32, '9')
  return transaction(id, id, { ...changes, type: 'RG' })
})
const unit = { id: 'u', expectedVersions: [], rows: { payment_transaction: rows } }

interface OpenedScan {
  readonly storage: Pick<Storage, 'transactionsBefore' | 'rowsBefore' | 'close'>
  readonly remove: () => unknown
}

async function openSqliteScan(): Promise<OpenedScan> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-scan-'))
  const storage = await openSqlite({ file: join(folder, 'test.db') })
  await storage.commit(unit)
  return { storage, remove: () => rmSync(folder, { recursive: true }) }
}

async function openPostgresScan(): Promise<OpenedScan> {
  const url = await newDatabase(process.env['TOLLGATE_TEST_DATABASE_URL'])
  const writer = await openPostgres({ url })
  await writer.commit(unit)
  await writer.close()
  return { storage: postgresReader(url, shortStep), remove: () => removeDatabase(url) }
}

/** A small number of entries, so that some steps end within a tree. */
const shortStep = 50
const isAvailable = ({ name }: { readonly name: string }) =>
  name !== 'postgres' || process.env['TOLLGATE_TEST_DATABASE_URL'] !== undefined

describe.each(
  [
    { name: 'sqlite', scanEntries: limits.scanEntries, openScan: openSqliteScan },
    { name: 'postgres', scanEntries: shortStep, openScan: openPostgresScan },
  ].filter(isAvailable),
)('$name', ({ scanEntries, openScan }) => {
  let storage: OpenedScan['storage']
  let remove: OpenedScan['remove']

  beforeAll(async () => {
    ;({ storage, remove } = await openScan())
  })

  afterAll(async () => {
    await storage.close()
    await remove()
  })

  async function scan(filter: TransactionFilter, before: string, from: string) {
    const scanned: PositionedTransaction[] = []
    let steps = 0
    for (let upper = before; upper > from; steps += 1) {
      const { transactions, reached } = await storage.transactionsBefore(filter, upper, from)
      expect(transactions.length).toBeLessThanOrEqual(3 * scanEntries + 3)
      scanned.push(...transactions)
      upper = reached
    }
    return { scanned: scanned.map(({ position }) => position), steps }
  }

  async function scanRows(filter: TransactionFilter, before: string, from: string, max: number) {
    const scanned: string[] = []
    for (let upper = before; upper > from; ) {
      const { transactions, reached } = await storage.rowsBefore(filter, upper, from, max)
      expect(transactions.length).toBeLessThanOrEqual(3 * max)
      expect(transactions.map(({ row }) => positionOf(row))).toEqual(transactions.map(({ position }) => position))
      scanned.push(...transactions.map(({ position }) => position))
      upper = reached
    }
    return scanned
  }

  test.each([
    { subject: 'all transactions', before: 'g', from: '', filter: { merchant } },
    { subject: 'rare transactions', before: 'g', from: '', filter: { merchant, types: ['RG'] } },
    { subject: 'transactions of another merchant', before: 'g', from: '', filter: { merchant: 'another' } },
    {
      subject: 'transactions in a range',
      before: positionAt(START_MS + 5_000),
      from: positionAt(START_MS + 100),
      filter: { merchant, types: ['CP', 'RG'], methods: ['CC'] },
    },
  ])(
    'a scan of $subject finds each transaction once, newest first, in steps of a bounded size',
    async ({ before, from, filter }) => {
      const { scanned, steps } = await scan(filter, before, from)
      const expected = rows
        .filter((row) => row.merchant === filter.merchant && (filter.types?.includes(row.type) ?? true))
        .map(positionOf)
        .filter((position) => position < before && position >= from)
      expect(scanned).toEqual(expected.toSorted().toReversed())
      expect(await scanRows(filter, before, from, 40)).toEqual(scanned)
      expect(steps).toBeGreaterThanOrEqual(1)
    },
  )

  test('a step ends after its share of entries, even if it finds nothing', async () => {
    const { transactions, reached } = await storage.transactionsBefore({ merchant: 'unknown' }, 'g', '')
    expect(transactions).toEqual([])
    expect(reached).not.toBe('')
    expect(timeOf(reached)).toBeGreaterThan(START_MS)
  })
})
