import { columnList } from './columns.ts'
import type { PositionedRow, PositionedTransaction, Reader, RowStep, TransactionFilter } from './port.ts'
import { timeAndIdOf, newestFirst, positionOf } from './position.ts'
import type { TransactionRow } from './schema.ts'
import type { Prepare } from './statement.ts'

// The parts of a scan of transactions that the dialects share. A scan has three streams: roots and children in the
// order of their keys, and registrations in the order of their times.

/** The WHERE conditions of a stream, with a `?` for each bound of its range, and its order, newest first. */
const streams = {
  roots: { where: `id = root_id AND type <> 'RG'`, range: 'root_id < ? AND root_id >= ?', order: 'root_id DESC' },
  children: { where: 'id <> root_id', range: 'id < ? AND id >= ?', order: 'id DESC' },
  registrations: {
    where: `type = 'RG'`,
    range: '(created_at_ms, id) < (?, ?) AND (created_at_ms, id) >= (?, ?)',
    order: 'created_at_ms DESC, id DESC',
  },
} as const

/** The condition that a code is in a list, which is bound as one text, `,DB,CP,`; '' stands for any code. */
const isListed = (code: string): string => `coalesce(nullif(?, ''), ',' || ${code} || ',') LIKE '%,' || ${code} || ',%'`

/** The conditions of a filter, except the merchant. */
export const filterSql = `channel LIKE ? AND ${isListed('type')} AND ${isListed(`coalesce(method, '')`)}`

/** The values of a filter: merchant, channel as a pattern, types and methods. */
export const filterValues = ({ merchant, channel, types, methods }: TransactionFilter) =>
  [merchant, channel ?? '%', listText(types), listText(methods)] as const

const listText = (codes: readonly string[] | undefined): string => (codes ? `,${codes.join(',')},` : '')

/** The position of a transaction with a time-ordered id. */
const positionedById = ({ id }: Pick<TransactionRow, 'id'>): PositionedTransaction => ({ id, position: id })

const positionedRegistration = (row: Pick<TransactionRow, 'id' | 'created_at_ms'>): PositionedTransaction => ({
  id: row.id,
  position: positionOf({ ...row, type: 'RG' }),
})

/** The end of a step: the first position at which a stream has reached its bound, or the end of the scan. */
const reachedBy = (from: string, ends: readonly (PositionedTransaction | undefined)[]): string =>
  ends.reduce((reached, entry) => (entry && entry.position > reached ? entry.position : reached), from)

type IdRow = Pick<TransactionRow, 'id'>
type TimedRow = Pick<TransactionRow, 'id' | 'created_at_ms'>

/** The limits of one step of a scan. */
interface StepLimits {
  /** Entries of an index, of all merchants. */
  readonly entries: number
  /** Rows of each stream. */
  readonly rows: number
}

/** The scans of transactions. */
export function scanReads(prepare: Prepare, limits: StepLimits): Pick<Reader, 'transactionsBefore' | 'rowsBefore'> {
  const { roots, children, registrations } = streams
  const matching = `FROM payment_transaction WHERE merchant = ? AND ${filterSql} AND`
  const rootsBefore = prepare<IdRow>('rootsBefore', `SELECT id ${matching} ${roots.where} AND ${roots.range}`)
  const childrenBefore = prepare<IdRow>(
    'childrenBefore',
    `SELECT id ${matching} ${children.where} AND ${children.range}`,
  )
  const registrationsBefore = prepare<TimedRow>(
    'registrationsBefore',
    `SELECT id, created_at_ms ${matching} ${registrations.where} AND ${registrations.range}`,
  )
  const lastEntry = `LIMIT 1 OFFSET ${limits.entries}`
  const rootEntry = prepare<IdRow>(
    'rootEntry',
    `SELECT root_id AS id FROM payment_transaction WHERE ${roots.range} ORDER BY ${roots.order} ${lastEntry}`,
  )
  const childEntry = prepare<IdRow>(
    'childEntry',
    `SELECT id FROM payment_transaction WHERE ${children.where} AND ${children.range}
      ORDER BY ${children.order} ${lastEntry}`,
  )
  const registrationEntry = prepare<TimedRow>(
    'registrationEntry',
    `SELECT id, created_at_ms FROM payment_transaction WHERE merchant = ? AND ${registrations.where}
      AND ${registrations.range} ORDER BY ${registrations.order} ${lastEntry}`,
  )

  const merchantEntry = prepare<IdRow>(
    'merchantEntry',
    `SELECT root_id AS id FROM (
      SELECT root_id, merchant FROM payment_transaction WHERE ${roots.range} ORDER BY ${roots.order}
      LIMIT ${limits.entries}
    ) AS entry WHERE merchant = ? ORDER BY ${roots.order} LIMIT 1 OFFSET ?`,
  )
  const columns = columnList('payment_transaction')
  // Oldest first, as the rows are on the disk: the operating system then reads ahead.
  const rootRows = prepare<TransactionRow>(
    'rootRowsBefore',
    `SELECT ${columns} ${matching} ${roots.where} AND ${roots.range} ORDER BY root_id`,
  )
  const rowsOf = ({ where, range, order }: (typeof streams)['children' | 'registrations']) =>
    `SELECT ${columns} ${matching} ${where} AND ${range} ORDER BY ${order} LIMIT ?`
  const childRows = prepare<TransactionRow>('childRowsBefore', rowsOf(children))
  const registrationRows = prepare<TransactionRow>('registrationRowsBefore', rowsOf(registrations))

  /**
   * The end of a step, at which no stream has read more than its share of entries. The index alone answers this, so
   * that rows of other merchants are not read.
   */
  async function endOfStep({ merchant }: TransactionFilter, before: string, from: string): Promise<string> {
    const [root, child, registration] = await Promise.all([
      rootEntry.one(before, from),
      childEntry.one(before, from),
      registrationEntry.one(merchant, ...timeAndIdOf(before), ...timeAndIdOf(from)),
    ])
    const ends = [root && positionedById(root), child && positionedById(child)]
    return reachedBy(from, [...ends, registration && positionedRegistration(registration)])
  }

  return {
    async transactionsBefore(filter, before, from) {
      const reached = await endOfStep(filter, before, from)
      const values = filterValues(filter)
      const [rootIds, childIds, registrationIds] = await Promise.all([
        rootsBefore.all(...values, before, reached),
        childrenBefore.all(...values, before, reached),
        registrationsBefore.all(...values, ...timeAndIdOf(before), ...timeAndIdOf(reached)),
      ])
      const ordered = [...rootIds, ...childIds].map(positionedById)
      return { transactions: newestFirst([...ordered, ...registrationIds.map(positionedRegistration)]), reached }
    },
    async rowsBefore(filter, before, from, requestedMax) {
      const max = Math.min(requestedMax, limits.rows)
      // Few transactions may have the types or methods of a filter.
      const entries = filter.types || filter.methods ? limits.rows : max
      const last = await merchantEntry.one(before, from, filter.merchant, entries - 1)
      const reached = await endOfStep(filter, before, last?.id ?? from)
      const values = filterValues(filter)
      const [oldestFirst, ...rowsOfStreams] = await Promise.all([
        rootRows.all(...values, before, reached),
        childRows.all(...values, before, reached, max),
        registrationRows.all(...values, ...timeAndIdOf(before), ...timeAndIdOf(reached), max),
      ])
      return rowStep([oldestFirst.toReversed(), ...rowsOfStreams], reached, max)
    },
  }
}

/**
 * A step with the rows of several streams, each of which was read newest first and up to `max` rows. The step ends at
 * the first position at which a stream has `max` rows.
 */
function rowStep(rowsOfStreams: readonly (readonly TransactionRow[])[], reached: string, max: number): RowStep {
  const positioned = rowsOfStreams.map((rows) =>
    rows.map((row): PositionedRow => ({ id: row.id, position: positionOf(row), row })),
  )
  const end = reachedBy(
    reached,
    positioned.map((rows) => rows[max - 1]),
  )
  return { transactions: newestFirst(positioned.flat().filter(({ position }) => position >= end)), reached: end }
}
