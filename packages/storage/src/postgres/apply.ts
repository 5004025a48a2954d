import { limits } from '../limits.ts'
import type { CommitResult } from '../port.ts'
import type { IdempotencyRow, Schema, UniqueKeyRow } from '../schema.ts'
import { columnsOf, changeableTables, tables, writableTables } from '../tables.ts'
import { arrayOf, type ItemType, items } from './arrays.ts'
import type { SqlValue } from '../sql-value.ts'
import type { Connection } from './database.ts'
import { type Packed, type PackedUnit, packTogether, type Relation, relations } from './pack.ts'

/** What a unit met, in the order in which it counts: by kind, then by the place of the unique key in the unit. */
type Loss =
  | readonly [place: number, kind: 1, of: number, row: IdempotencyRow]
  | readonly [place: number, kind: 2 | 4, of: number, row: null]
  | readonly [place: number, kind: 3, of: number, row: UniqueKeyRow]

/**
 * Commits units, of which no two share a key, in one statement, which is a transaction of its own.
 * @param id of the batch, under which its reply can be read again; never used before
 * @param settled batches whose replies have arrived
 * @returns how each unit ended
 * @throws what the connection throws; nothing was written, or the connection is lost
 */
export async function applyUnits(
  { query }: Connection,
  units: readonly PackedUnit[],
  id: string,
  settled: readonly string[],
): Promise<CommitResult[]> {
  const packed = packTogether(units)
  const { text, name, values } = statementFor(packed)
  const [row] = await query<{ reply: string }>(text, [id, arrayOf('text', settled), ...values], name)
  return outcomesOf(row?.reply ?? '[]', units.length)
}

/**
 * Finds out what became of a batch whose connection was lost, once and for all: where it is not written, it never will
 * be. For its server may still work on it, or not even have begun. The empty reply that is put in its place waits for
 * a batch in progress, and one that has not come so far breaks the key. A reply that is there is written again: a
 * server that was started anew shows what no standby has, and only its next commit waits until they have both.
 * @returns how each of its units ended; undefined: nothing was written
 */
export async function lookUp(
  { query }: Connection,
  id: string,
  unitCount: number,
): Promise<CommitResult[] | undefined> {
  await query('BEGIN')
  try {
    // Others wait for this connection meanwhile.
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

/** Forgets the replies that processes left which did not live to read them. */
export async function forgetReplies({ query }: Connection): Promise<void> {
  await query(`DELETE FROM commit_reply WHERE created_at < now() - interval '1 hour'`)
}

function outcomesOf(reply: string, unitCount: number): CommitResult[] {
  const losses: readonly Loss[] = JSON.parse(reply)
  const first = new Map<number, Loss>()
  for (const loss of losses) {
    const other = first.get(loss[0])
    if (!other || loss[1] < other[1] || (loss[1] === other[1] && loss[2] < other[2])) first.set(loss[0], loss)
  }
  return Array.from({ length: unitCount }, (_, place) => resultOf(first.get(place)))
}

function resultOf(loss: Loss | undefined): CommitResult {
  switch (loss?.[1]) {
    case undefined:
      return { kind: 'committed' }
    case 1:
      return { kind: 'claimed', row: loss[3] }
    case 2:
    case 4:
      return { kind: 'stale' }
    case 3:
      return { kind: 'taken', row: loss[3] }
  }
}

interface Form {
  readonly text: string
  /** undefined where a connection need not keep it. */
  readonly name: string | undefined
}

/** The statement by the relations that its batch has rows for. */
const forms = new Map<string, Form>()

function statementFor(packed: Packed): Form & { readonly values: readonly SqlValue[] } {
  const present = [...packed.keys()]
  const values = present.flatMap((relation) =>
    columnsFor(relation).map(([, type], index) =>
      arrayOf(type, packed.get(relation)?.map((cells) => cells[index] ?? null) ?? []),
    ),
  )
  const form = present.join()
  const known = forms.get(form)
  if (known) return { ...known, values }
  const isKept = forms.size < limits.preparedForms
  const made = { text: statementOf(present), name: isKept ? `batch ${forms.size}` : undefined }
  if (isKept) forms.set(form, made)
  return { ...made, values }
}

type Column = readonly [name: string, type: ItemType]

const allTables = [...new Set([...writableTables, ...changeableTables])]

const place: Column = ['place', 'place']
const fixedColumns: Readonly<Record<string, readonly Column[]>> = {
  guard: [place, ...columnsOf('tree')],
  claim: [place, ...columnsOf('idempotency_key')],
  unique: [place, ['of', 'place'], ...columnsOf('unique_key')],
}

const columnsOfRelation = new Map(
  relations.map((relation) => [relation, fixedColumns[relation] ?? [place, ...columnsOf(tableOf(relation))]]),
)

const columnsFor = (relation: Relation): readonly Column[] => columnsOfRelation.get(relation) ?? []

function tableOf(relation: Relation): keyof Schema {
  return allTables.find((table) => relation.endsWith(` ${table}`)) ?? 'tree'
}

/**
 * The one statement of a batch. Its parts, in the order in which they run:
 *
 * 1. `loss`: what units meet. Trees are locked, then rows that are to be swapped, each in the order of their keys; with
 *    its lock a row is read as it is now, not as it was when the statement began. A key or tree that another process
 *    has committed since then is not seen here, but breaks a constraint below: then nothing is written, and the next
 *    attempt sees it.
 * 2. Trees are moved on and made, keys claimed, by the units that lost nothing. Each part waits for the one before it,
 *    so that all processes come to what they lock in one order, and no two can wait for each other.
 * 3. The reply is kept under the id of the batch.
 * 4. The rows.
 */
function statementOf(present: readonly Relation[]): string {
  let parameter = 2
  const sources = new Map<Relation, string>()
  for (const relation of present) {
    const columns = columnsFor(relation)
    const arrays = columns.map(([, type]) => {
      parameter += 1
      return `$${parameter}::${items[type].sql}[]`
    })
    sources.set(relation, `unnest(${arrays.join(', ')}) AS r(${columns.map(([name]) => `"${name}"`).join(', ')})`)
  }
  const parts: string[] = []
  const losses = present.flatMap((relation) => lossOf(relation, sources.get(relation) ?? ''))
  if (losses.length > 0) {
    parts.push(`loss (place, kind, of, "row") AS MATERIALIZED (${losses.join(' UNION ALL ')})`)
    parts.push(`lost AS MATERIALIZED (SELECT coalesce(array_agg(DISTINCT place), '{}') AS places FROM loss)`)
  }
  const hasWon = losses.length > 0 ? 'r.place <> ALL ((SELECT places FROM lost)::integer[])' : 'true'

  let before = ''
  /** A part that begins when the one before it is complete. */
  function next(name: string, write: (condition: string) => string): void {
    parts.push(`${name} AS (${write(`${hasWon}${before}`)} RETURNING 1)`)
    before = ` AND (SELECT count(*) FROM ${name}) IS NOT NULL`
  }

  const unmet: string[] = []
  const [expectedVersions, claims, unique] = [sources.get('guard'), sources.get('claim'), sources.get('unique')]
  if (expectedVersions) {
    next(
      'moved',
      (condition) => `UPDATE tree SET version = r.version + 1 FROM ${expectedVersions}
      WHERE tree.id = r.id AND tree.merchant = r.merchant AND r.version > 0 AND ${condition}`,
    )
    next(
      'made',
      (condition) => `INSERT INTO tree (id, merchant, version)
      SELECT r.id, r.merchant, 1 FROM ${expectedVersions} WHERE r.version = 0 AND ${condition}`,
    )
  }
  for (const [name, table, source] of [
    ['claimed', 'idempotency_key', claims],
    ['added', 'unique_key', unique],
  ] as const) {
    if (!source) continue
    next(
      name,
      (condition) => `${replaceIn(table, source, condition)} WHERE ${table}.expires_at_ms <= excluded.created_at_ms`,
    )
    unmet.push(`(SELECT count(*) FROM ${source} WHERE ${hasWon}) - (SELECT count(*) FROM ${name})`)
    parts.push(`expired_${table} AS (${removeExpired(table, source)})`)
  }
  const said = `(SELECT coalesce(json_agg(json_build_array(place, kind, of, "row")), '[]')::text FROM loss)`
  parts.push(`reply AS (INSERT INTO commit_reply (id, reply, unmet) SELECT $1, ${losses.length > 0 ? said : `'[]'`},
    ${unmet.join(' + ') || '0'} RETURNING reply)`)
  before += ' AND (SELECT count(*) FROM reply) IS NOT NULL'
  parts.push('settled AS (DELETE FROM commit_reply WHERE id = ANY ($2::text[]))')
  for (const relation of present) {
    const source = sources.get(relation) ?? ''
    const table = tableOf(relation)
    const name = relation.replace(' ', '_')
    if (relation.startsWith('put ')) next(name, (condition) => insertInto(table, source, condition))
    if (relation.startsWith('change ')) next(name, (condition) => replaceIn(table, source, condition))
    if (relation.startsWith('remove ')) {
      next(name, (condition) => `DELETE FROM ${table} USING ${source} WHERE ${isOfKey(table)} AND ${condition}`)
    }
  }
  return `WITH ${parts.join(',\n')} SELECT reply FROM reply`
}

/** Selects what the units of a relation meet that lose by it. */
function lossOf(relation: Relation, source: string): string[] {
  if (relation === 'claim') {
    return [
      `SELECT r.place, 1, 0, row_to_json(k) FROM ${source} JOIN idempotency_key AS k
      ON k.id = r.id AND k.expires_at_ms > r.created_at_ms`,
    ]
  }
  if (relation === 'unique') {
    return [
      `SELECT r.place, 3, r.of, row_to_json(k) FROM ${source} JOIN unique_key AS k
      ON k.id = r.id AND (k.expires_at_ms IS NULL OR k.expires_at_ms > r.created_at_ms)`,
    ]
  }
  if (relation === 'guard') {
    return [
      `SELECT r.place, 2, 0, NULL::json FROM ${source}
      LEFT JOIN LATERAL (SELECT merchant, version FROM tree WHERE id = r.id FOR UPDATE) AS t ON true
      WHERE CASE WHEN t.version IS NULL THEN r.version <> 0
        ELSE (t.merchant, t.version) <> (r.merchant, r.version) END`,
    ]
  }
  if (!relation.startsWith('check ')) return []
  const table = tableOf(relation)
  const columns = columnsOf(table).map(([column]) => column)
  const all = (row: string) => columns.map((column) => `${row}."${column}"`).join(', ')
  return [
    `SELECT r.place, 4, 0, NULL::json FROM ${source}
    LEFT JOIN LATERAL (SELECT * FROM ${table} WHERE ${isOfKey(table)} FOR UPDATE) AS t ON true
    WHERE (${all('t')}) IS DISTINCT FROM (${all('r')})`,
  ]
}

const isOfKey = (table: keyof Schema): string =>
  tables[table].key.map((column) => `${table}."${column}" = r."${column}"`).join(' AND ')

const insertInto = (table: keyof Schema, source: string, condition: string): string =>
  tables[table].write === 'replace' ? replaceIn(table, source, condition) : addTo(table, source, condition)

function addTo(table: keyof Schema, source: string, condition: string): string {
  const columns = columnsOf(table).map(([column]) => column)
  return (
    `INSERT INTO ${table} (${columns.map((column) => `"${column}"`).join(', ')}) ` +
    `SELECT ${columns.map((column) => `r."${column}"`).join(', ')} FROM ${source} WHERE ${condition}`
  )
}

function replaceIn(table: keyof Schema, source: string, condition: string): string {
  const keys: readonly string[] = tables[table].key
  const changed = columnsOf(table).filter(([column]) => !keys.includes(column))
  const set = changed.map(([column]) => `"${column}" = excluded."${column}"`).join(', ')
  return `${addTo(table, source, condition)} ON CONFLICT (${keys.join(', ')}) DO UPDATE SET ${set}`
}

/** Removes a few for each that comes, but none that another process removes, or that comes again. */
function removeExpired(table: 'idempotency_key' | 'unique_key', source: string): string {
  return `DELETE FROM ${table} WHERE (id, merchant) IN (
    SELECT id, merchant FROM ${table} WHERE expires_at_ms <= (SELECT max(created_at_ms) FROM ${source})
      AND id <> ALL (ARRAY(SELECT id FROM ${source}))
    ORDER BY expires_at_ms, id LIMIT (SELECT ${limits.expiredRemoved} * count(*) FROM ${source})
    FOR UPDATE SKIP LOCKED)`
}
