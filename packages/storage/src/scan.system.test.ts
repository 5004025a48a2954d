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

/** Ids as in production: the time, then a number without meaning. */
const idAt = (number: number) => positionAt(START_MS + number) + String((number * 7919) % 100_003).padStart(20, '0')

/** More rows than two steps read: mostly of one merchant, with children and registrations among them. */
const rows = Array.from({ length: 3 * limits.scanEntries }, (_, number) => {
  const isRegistration = number % 100 === 7
  const rootNumber = number % 3 === 1 && number > 100 && !isRegistration ? 3 * Math.floor(number / 6) : number
  const changes = { merchant: rootNumber % 10 === 0 ? 'another' : merchant, created_at_ms: START_MS + number }
  if (!isRegistration) return transaction(idAt(number), idAt(rootNumber), changes)
  const id = String(number).padStart(32, '9')
  return transaction(id, id, { ...changes, type: 'RG' })
})
const unit = { id: 'u', expectedVersions: [], rows: { payment_transaction: rows } }

interface Place {
  readonly storage: Pick<Storage, 'transactionsBefore' | 'rowsBefore' | 'close'>
  readonly remove: () => unknown
}

async function onSqlite(): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-scan-'))
  const storage = await openSqlite({ file: join(folder, 'test.db') })
  await storage.commit(unit)
  return { storage, remove: () => rmSync(folder, { recursive: true }) }
}

async function onPostgres(): Promise<Place> {
  const url = await newDatabase(process.env['TOLLGATE_TEST_DATABASE_URL'])
  const writing = await openPostgres({ url })
  await writing.commit(unit)
  await writing.close()
  return { storage: postgresReader(url, shortStep), remove: () => removeDatabase(url) }
}

/** So few entries that steps end within trees. */
const shortStep = 50
const isHere = ({ name }: { readonly name: string }) =>
  name !== 'postgres' || process.env['TOLLGATE_TEST_DATABASE_URL'] !== undefined

describe.each(
  [
    { name: 'sqlite', scanEntries: limits.scanEntries, place: onSqlite },
    { name: 'postgres', scanEntries: shortStep, place: onPostgres },
  ].filter(isHere),
)('$name', ({ scanEntries, place }) => {
  let storage: Place['storage']
  let remove: Place['remove']

  beforeAll(async () => {
    ;({ storage, remove } = await place())
  })

  afterAll(async () => {
    await storage.close()
    await remove()
  })

  async function walk(filter: TransactionFilter, before: string, from: string) {
    const seen: PositionedTransaction[] = []
    let steps = 0
    for (let at = before; at > from; steps += 1) {
      const { found, reached } = await storage.transactionsBefore(filter, at, from)
      expect(found.length).toBeLessThanOrEqual(3 * scanEntries + 3)
      seen.push(...found)
      at = reached
    }
    return { seen: seen.map(({ position }) => position), steps }
  }

  async function walkRows(filter: TransactionFilter, before: string, from: string, max: number) {
    const seen: string[] = []
    for (let at = before; at > from; ) {
      const { found, reached } = await storage.rowsBefore(filter, at, from, max)
      expect(found.length).toBeLessThanOrEqual(3 * max)
      expect(found.map(({ row }) => positionOf(row))).toEqual(found.map(({ position }) => position))
      seen.push(...found.map(({ position }) => position))
      at = reached
    }
    return seen
  }

  test.each([
    { what: 'all', before: 'g', from: '', filter: { merchant } },
    { what: 'rare ones', before: 'g', from: '', filter: { merchant: 'another', types: ['RG'] } },
    { what: 'another merchant’s', before: 'g', from: '', filter: { merchant: 'another' } },
    {
      what: 'a range',
      before: positionAt(START_MS + 5_000),
      from: positionAt(START_MS + 100),
      filter: { merchant, types: ['CP', 'RG'], methods: ['CC'] },
    },
  ])(
    'a scan of $what finds each transaction once, newest first, in steps of a bounded size',
    async ({ before, from, filter }) => {
      const { seen, steps } = await walk(filter, before, from)
      const expected = rows
        .filter((row) => row.merchant === filter.merchant && (filter.types?.includes(row.type) ?? true))
        .map(positionOf)
        .filter((position) => position < before && position >= from)
      expect(seen).toEqual(expected.toSorted().toReversed())
      expect(await walkRows(filter, before, from, 40)).toEqual(seen)
      expect(steps).toBeGreaterThanOrEqual(1)
    },
  )

  test('a step ends after its share of entries, even if it finds nothing', async () => {
    const { found, reached } = await storage.transactionsBefore({ merchant: 'nobody' }, 'g', '')
    expect(found).toEqual([])
    expect(reached).not.toBe('')
    expect(timeOf(reached)).toBeGreaterThan(START_MS)
  })
})
