import { limits } from '../limits.ts'
import type { CommitResult } from '../port.ts'
import type { IdempotencyRow, Schema, UniqueKeyRow } from '../schema.ts'
import { insertInto, replaceIn } from '../sql-writes.ts'
import { columnList, storedColumnsOf } from '../columns.ts'
import { isStoredSql } from '../packed-columns.ts'
import { changeableTables, tables, writableTables } from '../tables.ts'
import { TRANSACTIONS } from '../transaction-feed.ts'
import { arrayOf, type ItemType, itemTypes } from './arrays.ts'
import type { SqlValue } from '../sql-value.ts'
import type { Connection } from './database.ts'
import { type BatchRows, type PackedUnit, packTogether, type Relation, relations } from './pack.ts'

/**
 * A conflict of a unit, by its place in the batch. Kinds: 1, the idempotency key is claimed; 2, a tree is not at its
 * expected version; 3, a unique key exists; 4, a row of a compare-and-set has changed. The conflict with the lowest
 * kind, then with the lowest place of its unique key in the unit, determines the outcome.
 */
type Conflict =
  | readonly [place: number, kind: 1, keyPlace: number, row: IdempotencyRow]
  | readonly [place: number, kind: 2 | 4, keyPlace: number, row: null]
  | readonly [place: number, kind: 3, keyPlace: number, row: UniqueKeyRow]

/**
 * Commits units, no two of which share a key, in one statement, which is a transaction.
 * @param id a new id of the batch, by which its reply can be looked up
 * @param received the ids of batches whose replies have arrived; the stored replies are deleted
 * @returns the outcomes of the units
 * @throws the errors of `Connection.query`; after a DatabaseError of the statement nothing was written, after the loss
 *   of the connection the outcome is unknown
 */
export async function applyUnits(
  { query }: Connection,
  units: readonly PackedUnit[],
  id: string,
  received: readonly string[],
): Promise<CommitResult[]> {
  const packed = packTogether(units)
  const { text, name, values } = statementFor(packed)
  const [row] = await query<{ reply: string }>(text, [id, arrayOf('text', received), ...values], name)
  return outcomesOf(row?.reply ?? '[]', units.length)
}

/**
 * Determines the outcome of a batch whose connection was lost, and prevents a later execution: the server may still
 * execute the batch, or not have begun. The insert of an empty reply waits for a batch in progress, and a later
 * execution of the batch violates the key. An existing reply is written again, because a restarted server shows commits
 * that its standby lacks, and only its next commit waits for the standby.
 * @returns the outcomes of its units; undefined: nothing was written
 */
export async function lookUpReply(
  { query }: Connection,
  id: string,
  unitCount: number,
): Promise<CommitResult[] | undefined> {
  await query('BEGIN')
  try {
    // The wait for a lock is bounded, because other batches wait for this connection.
    await query(`SET LOCAL lock_timeout = ${limits.lookUpMs}`)
    const [row] = await query<{ reply: string | null }>(
      `INSERT INTO commit_reply (id, unmet) VALUES ($1, 0)
      ON CONFLICT (id) DO UPDATE SET created_at = now() RETURNING reply`,
      [id],
    )
    await query('COMMIT')
    return row?.reply ? outcomesOf(row.reply, unitCount) : undefined
  } catch (error) {
    await query('ROLLBACK').catch(() => {})
    throw error
  }
}

/** Deletes replies that are older than an hour: a process that has ended no longer deletes its last replies. */
export async function deleteOldReplies({ query }: Connection): Promise<void> {
  await query(`DELETE FROM commit_reply WHERE created_at < now() - interval '1 hour'`)
}

function outcomesOf(reply: string, unitCount: number): CommitResult[] {
  const conflicts: readonly Conflict[] = JSON.parse(reply)
  const first = new Map<number, Conflict>()
  for (const conflict of conflicts) {
    const lowest = first.get(conflict[0])
    if (!lowest || conflict[1] < lowest[1] || (conflict[1] === lowest[1] && conflict[2] < lowest[2]))
      first.set(conflict[0], conflict)
  }
  return Array.from({ length: unitCount }, (_, place) => resultOf(first.get(place)))
}

function resultOf(conflict: Conflict | undefined): CommitResult {
  switch (conflict?.[1]) {
    case undefined:
      return { kind: 'committed' }
    case 1:
      return { kind: 'claimed', row: conflict[3] }
    case 2:
    case 4:
      return { kind: 'stale' }
    case 3:
      return { kind: 'conflict', row: conflict[3] }
  }
}

interface Statement {
  readonly text: string
  /** The name of the prepared statement; undefined if it is parsed each time. */
  readonly name: string | undefined
}

/** The statements by the relations of their batches. */
const statements = new Map<string, Statement>()

function statementFor(packed: BatchRows): Statement & { readonly values: readonly SqlValue[] } {
  const present = [...packed.keys()]
  const values = [...packed].flatMap(([relation, rows]) =>
    columnsFor(relation).map(([, type], index) =>
      arrayOf(
        type,
        rows.map(({ place, cells }) => (index === 0 ? place : (cells[index - 1] ?? null))),
      ),
    ),
  )
  const key = present.join()
  const cached = statements.get(key)
  if (cached) return { ...cached, values }
  const isPrepared = statements.size < limits.preparedStatements
  const statement = { text: statementOf(present), name: isPrepared ? `batch ${statements.size}` : undefined }
  if (isPrepared) statements.set(key, statement)
  return { ...statement, values }
}

type Column = readonly [name: string, type: ItemType]

const allTables = [...new Set([...writableTables, ...changeableTables])]

const place: Column = ['place', 'place']
const fixedColumns: Readonly<Record<string, readonly Column[]>> = {
  version: [place, ...storedColumnsOf('tree')],
  claim: [place, ...storedColumnsOf('idempotency_key')],
  unique: [place, ['key_place', 'place'], ...storedColumnsOf('unique_key')],
}

const columnsOfRelation = new Map(
  relations.map((relation) => [relation, fixedColumns[relation] ?? [place, ...storedColumnsOf(tableOf(relation))]]),
)

const columnsFor = (relation: Relation): readonly Column[] => columnsOfRelation.get(relation) ?? []

function tableOf(relation: Relation): keyof Schema {
  return allTables.find((table) => relation.endsWith(` ${table}`)) ?? 'tree'
}

/**
 * The statement of a batch. Its parts, in the order of execution:
 *
 * 1. `conflicts`: the conflicts of units. Trees are locked, then rows of compare-and-sets, each in the order of their
 *    keys; a locked row is read in its current version, not in that of the statement's start. A key or tree that
 *    another process has committed since then is invisible here, but breaks a constraint below: then nothing is
 *    written, and the next attempt sees it.
 * 2. Units without conflict increment the versions of trees and claim keys. Each part waits for the one
 *    before it, so that all processes lock in one order and never deadlock.
 * 3. The reply is stored under the id of the batch.
 * 4. The rows are written, and a row of `late_transaction` for each transaction for which the feed was closed.
 */
function statementOf(present: readonly Relation[]): string {
  let parameter = 2
  const sources = new Map<Relation, string>()
  /** The arrays of the first column of rows, which is the id of the root in trees and transactions. */
  const rootIds = new Map<Relation, string>()
  for (const relation of present) {
    const columns = columnsFor(relation)
    const arrays = columns.map(([, type]) => {
      parameter += 1
      return `$${parameter}::${itemTypes[type].sql}[]`
    })
    rootIds.set(relation, arrays[1] ?? '')
    sources.set(relation, `unnest(${arrays.join(', ')}) AS r(${columns.map(([name]) => `"${name}"`).join(', ')})`)
  }
  const parts: string[] = []
  const conflicts = present.flatMap((relation) =>
    conflictsOf(relation, sources.get(relation) ?? '', rootIds.get(relation) ?? ''),
  )
  if (conflicts.length > 0) {
    parts.push(`conflicts (place, kind, key_place, "row") AS MATERIALIZED (${conflicts.join(' UNION ALL ')})`)
    parts.push(`refused AS MATERIALIZED (SELECT coalesce(array_agg(DISTINCT place), '{}') AS places FROM conflicts)`)
  }
  const hasNoConflict = conflicts.length > 0 ? 'r.place <> ALL ((SELECT places FROM refused)::integer[])' : 'true'

  let afterPrevious = ''
  /** Adds a part that begins after the completion of the part before it. */
  function addWrite(name: string, sqlOf: (condition: string) => string, returned = '1'): void {
    parts.push(`${name} AS (${sqlOf(`${hasNoConflict}${afterPrevious}`)} RETURNING ${returned})`)
    afterPrevious = ` AND (SELECT count(*) FROM ${name}) IS NOT NULL`
  }

  /** For each table of keys, the number of keys that were not written: a constraint of the reply requires zero. */
  const unmet: string[] = []
  const [expectedVersions, claims, unique] = [sources.get('version'), sources.get('claim'), sources.get('unique')]
  if (expectedVersions) {
    addWrite(
      'incremented',
      (condition) => `UPDATE tree SET version = r.version + 1 FROM ${expectedVersions}
      WHERE tree.id = r.id AND tree.merchant = r.merchant AND r.version > 0 AND ${condition}`,
    )
    // A tree at version 1 usually has no row. Of two processes that insert its row, one breaks the key and tries again.
    addWrite(
      'followed_up',
      (condition) => `INSERT INTO tree (id, merchant, version)
      SELECT r.id, r.merchant, 2 FROM ${expectedVersions} WHERE r.version = 1 AND ${condition}
        AND (SELECT t.version FROM tree AS t WHERE t.id = r.id AND t.merchant = r.merchant) IS NULL`,
    )
  }
  for (const [name, table, source] of [
    ['claimed', 'idempotency_key', claims],
    ['added', 'unique_key', unique],
  ] as const) {
    if (!source) continue
    addWrite(
      name,
      (condition) =>
        `${replaceIn(table, rowsOf(table, source, condition))} WHERE ${table}.expires_at_ms <= excluded.created_at_ms`,
    )
    unmet.push(`(SELECT count(*) FROM ${source} WHERE ${hasNoConflict}) - (SELECT count(*) FROM ${name})`)
    parts.push(`expired_${table} AS (${removeExpired(table, source)})`)
  }
  const conflict = 'json_build_array(place, kind, key_place, "row")'
  const reply = `(SELECT coalesce(json_agg(${conflict}), '[]')::text FROM conflicts)`
  parts.push(`reply AS (INSERT INTO commit_reply (id, reply, unmet) SELECT $1, ${conflicts.length > 0 ? reply : `'[]'`},
    ${unmet.join(' + ') || '0'} RETURNING reply)`)
  afterPrevious += ' AND (SELECT count(*) FROM reply) IS NOT NULL'
  parts.push('received AS (DELETE FROM commit_reply WHERE id = ANY ($2::text[]))')
  for (const relation of present) {
    const source = sources.get(relation) ?? ''
    const table = tableOf(relation)
    const name = relation.replace(' ', '_')
    const isTransactions = table === 'payment_transaction'
    const writtenRows = (condition: string) => rowsOf(table, source, condition)
    const returned = isTransactions ? columnList('late_transaction', `${table}.`) : '1'
    if (relation.startsWith('put ')) addWrite(name, (condition) => insertInto(table, writtenRows(condition)), returned)
    if (relation.startsWith('change '))
      addWrite(name, (condition) => replaceIn(table, writtenRows(condition)), returned)
    if (isTransactions && !relation.startsWith('check ')) parts.push(`late_${name} AS (${insertLate(name)})`)
    if (relation.startsWith('remove ')) {
      addWrite(name, (condition) => `DELETE FROM ${table} USING ${source} WHERE ${hasSameKey(table)} AND ${condition}`)
    }
  }
  return `WITH ${parts.join(',\n')} SELECT reply FROM reply`
}

/**
 * The queries that select the conflicts of a relation.
 * @param rootIds the array of the ids of its roots, by which the server plans only for the partitions of these roots
 */
function conflictsOf(relation: Relation, source: string, rootIds: string): string[] {
  if (relation === 'claim') {
    return [
      `SELECT r.place, 1, 0, row_to_json(k) FROM ${source} JOIN idempotency_key AS k
      ON k.id = r.id AND k.expires_at_ms > r.created_at_ms`,
    ]
  }
  if (relation === 'unique') {
    return [
      `SELECT r.place, 3, r.key_place, row_to_json(k) FROM ${source} JOIN unique_key AS k
      ON k.id = r.id AND (k.expires_at_ms IS NULL OR k.expires_at_ms > r.created_at_ms)`,
    ]
  }
  if (relation === 'version') {
    return [
      `SELECT r.place, 2, 0, NULL::json FROM ${source}
      LEFT JOIN LATERAL (SELECT version FROM tree WHERE id = r.id AND r.version > 0 FOR UPDATE) AS t ON true
      LEFT JOIN payment_transaction AS root
        ON root.root_id = r.id AND root.id = r.id AND root.root_id = ANY (${rootIds})
      WHERE CASE WHEN root.id IS NULL AND r.version = 0 THEN false
        WHEN root.id IS NULL THEN coalesce(t.version, 1) <> r.version OR NOT EXISTS (
          SELECT 1 FROM archived_payment_transaction AS archived WHERE archived.root_id = r.id AND archived.id = r.id
            AND archived.merchant = r.merchant AND archived.root_id = ANY (${rootIds}))
        ELSE (root.merchant, coalesce(t.version, 1)) <> (r.merchant, r.version) END`,
    ]
  }
  if (!relation.startsWith('check ')) return []
  const table = tableOf(relation)
  const ofRoots = table === 'payment_transaction' ? `AND root_id = ANY (${rootIds})` : ''
  return [
    `SELECT r.place, 4, 0, NULL::json FROM ${source}
    LEFT JOIN LATERAL (SELECT * FROM ${table} WHERE ${hasSameKey(table)} ${ofRoots} FOR UPDATE) AS t ON true
    WHERE NOT (${isStoredSql(table, 't.', (column) => `r."${column}"`)})`,
  ]
}

/** Adds a row for each written transaction for which the feed was already closed. @param written the part with them */
const insertLate = (written: string): string =>
  `INSERT INTO late_transaction (${columnList('late_transaction')})
    SELECT ${columnList('late_transaction', 'r.')} FROM ${written} AS r
    WHERE r.id < (SELECT closed_before FROM transaction_feed WHERE id = '${TRANSACTIONS}')
    ON CONFLICT DO NOTHING`

/** The condition that a row of the table has the key of a row of the source. */
const hasSameKey = (table: keyof Schema): string =>
  tables[table].key.map((column) => `${table}."${column}" = r."${column}"`).join(' AND ')

/** Selects the rows of a source that satisfy a condition. */
const rowsOf = (table: keyof Schema, source: string, condition: string): string =>
  `SELECT ${columnList(table, 'r.')} FROM ${source} WHERE ${condition}`

/** Removes a few expired keys for each new key, except keys that another process removes or that are added again. */
function removeExpired(table: 'idempotency_key' | 'unique_key', source: string): string {
  return `DELETE FROM ${table} WHERE (id, merchant) IN (
    SELECT id, merchant FROM ${table} WHERE expires_at_ms <= (SELECT max(created_at_ms) FROM ${source})
      AND id <> ALL (ARRAY(SELECT id FROM ${source}))
    ORDER BY expires_at_ms, id LIMIT (SELECT ${limits.expiredRemoved} * count(*) FROM ${source})
    FOR UPDATE SKIP LOCKED)`
}
