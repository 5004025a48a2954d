import { limits } from '../limits.ts'
import { migrations } from '../migrations/index.ts'
import { timeOf } from '../position.ts'
import { checkSchemaVersion } from '../schema-version.ts'
import type { TransactionRow } from '../schema.ts'
import { StorageError } from '../storage-error.ts'
import { vacuumByNewRows } from './compiled-migrations.ts'
import { schemaVersionOf } from './data-set.ts'
import { type Connection, connect } from './database.ts'
import { definiteErrorOf, faultEffectOf } from './faults.ts'
import { arePartitioned, BOUNDS, inTransaction, lockPartitions } from './partitions.ts'

/** A partition of transactions: a month, or the table of an earlier version. */
export interface OldPartition {
  readonly name: string
  /** The first root id; null if there is none. */
  readonly from: string | null
  /** The root id after the last one; it begins with the time at which the partition ends. */
  readonly until: string
}

/** The facts by which the tree of a transaction stays or is archived. */
export interface ArchivableRow extends Pick<TransactionRow, 'root_id' | 'id' | 'type' | 'status' | 'created_at_ms'> {
  /** Whether a job that is not done, a session or a checkout refers to the transaction. */
  readonly isInUse: boolean
}

/** The archive of the transactions of a database. Gateways may use the database at the same time. */
export interface Archive {
  /** The oldest partition that is not archived and ends at or before `endMs`, if any. */
  oldest(endMs: number): Promise<OldPartition | undefined>
  /** All transactions of a partition, tree by tree. */
  rowsOf(partition: OldPartition): AsyncGenerator<ArchivableRow, void, undefined>
  /**
   * Moves a partition to the archive, except the trees with the root ids `staying`, which move to the first partition.
   * The move is one transaction, so that each tree is found before, during and after it. Payments wait while the trees
   * that stay move.
   *
   * @throws StorageError `unavailable` if other statements hold their locks for too long. Nothing was moved then, and a
   *   later call can succeed
   */
  archive(partition: OldPartition, staying: readonly string[]): Promise<void>
  close(): Promise<void>
}

/**
 * Opens the archive, while no other process changes partitions. The user must own the tables.
 * @throws StorageError `incompatible` if the schema is not that of this program, or the transactions are not
 *   partitioned; `unavailable` if another process changes partitions, or the database cannot be used
 */
export async function openPostgresArchive(url: string): Promise<Archive> {
  let connection: Connection | undefined
  try {
    connection = await connect(url, 'migrate')
    checkSchemaVersion('the database', await schemaVersionOf(connection), migrations.length)
    if (!(await arePartitioned(connection))) {
      throw new StorageError(
        'incompatible',
        'the transactions are not partitioned yet: a gateway does this at its start',
      )
    }
    // The lock ends with the connection.
    if (!(await lockPartitions(connection))) {
      throw new StorageError('unavailable', 'another process changes the partitions; run the command again in a minute')
    }
    return archiveOn(connection)
  } catch (error) {
    await connection?.close()
    throw definiteErrorOf(error)
  }
}

function archiveOn(connection: Connection): Archive {
  const { close } = connection

  async function query<Row extends object>(sql: string, values: readonly string[] = []): Promise<Row[]> {
    try {
      return await connection.query<Row>(sql, values)
    } catch (error) {
      if (isRace(error)) throw error
      throw definiteErrorOf(error)
    }
  }

  async function archive(partition: OldPartition, staying: readonly string[]): Promise<void> {
    const trees = JSON.stringify(staying)
    await repeated(() =>
      inTransaction(connection, limits.archiveLockMs, async () => {
        for (const step of moveSteps(partition)) await query(step, step.includes('$1') ? [trees] : [])
      }),
    )
  }

  return {
    async oldest(endMs) {
      const [oldest] = await query<OldPartition>(partitionsSql)
      return oldest && timeOf(oldest.until) <= endMs ? oldest : undefined
    },
    async *rowsOf({ name }) {
      const sql = pageSql(name)
      let page = await query<ArchivableRow>(sql, ['', ''])
      for (let last = page.at(-1); last; last = page.at(-1)) {
        yield* page
        await pause(limits.archivePagePauseMs)
        page = await query<ArchivableRow>(sql, [last.root_id, last.id])
      }
    },
    archive,
    close,
  }
}

/** Whether a statement has lost a race for a lock with other statements. */
const isRace = (error: unknown): boolean => faultEffectOf(error) === 'retry'

/** Repeats a task that loses a race for a lock. */
async function repeated(task: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await task()
      return
    } catch (error) {
      if (!isRace(error) || attempt === limits.archiveAttempts) throw definiteErrorOf(error)
      await pause(limits.archivePauseMs)
    }
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

const FIRST = 'payment_transaction_first'

/**
 * The partitions of payments that are not archived, oldest first. After the first archived partition, the partition
 * `first` has only trees that stay.
 */
const partitionsSql = `SELECT name, substring(bound FROM 'FROM \\(''([0-9a-f]+)''\\)') AS "from",
    substring(bound FROM 'TO \\(''([0-9a-f]+)''\\)') AS until FROM (
    SELECT relname AS name, pg_get_expr(relpartbound, oid) AS bound FROM pg_inherits JOIN pg_class ON oid = inhrelid
    WHERE inhparent = 'payment_transaction'::regclass
  ) AS partition
  WHERE name NOT IN ('payment_transaction_later', 'payment_transaction_registrations') AND (name <> '${FIRST}' OR (
    EXISTS (SELECT 1 FROM ${FIRST})
    AND NOT EXISTS (SELECT 1 FROM pg_inherits WHERE inhparent = 'archived_payment_transaction'::regclass)
  ))
  ORDER BY until`

/** A page of a partition, after a root id and an id. */
const pageSql = (name: string): string => `SELECT root_id, id, type, status, created_at_ms, id IN (
    SELECT subject_id FROM job WHERE done_at_ms IS NULL
    UNION ALL SELECT transaction_id FROM visit
    UNION ALL SELECT transaction_id FROM checkout WHERE transaction_id IS NOT NULL
  ) AS "isInUse"
  FROM "${name}" WHERE (root_id, id) > ($1, $2) ORDER BY root_id, id LIMIT ${limits.archivePageRows}`

/**
 * The steps that move a partition to the archive, in one transaction. Value: the root ids of the trees that stay, as
 * JSON. The partition is locked before its parent, so that statements on other partitions wait only for the catalogue.
 */
function moveSteps({ name, from, until }: OldPartition): readonly string[] {
  const archived = `archived_${name}`
  const staying = `root_id = ANY (ARRAY(SELECT json_array_elements_text($1)))`
  const isFirst = name === FIRST
  return [
    'SET LOCAL enable_seqscan = off',
    `LOCK TABLE "${name}" IN ACCESS EXCLUSIVE MODE`,
    ...(isFirst ? [] : [`LOCK TABLE ${FIRST} IN ACCESS EXCLUSIVE MODE`, detach(FIRST)]),
    detach(name),
    `ALTER TABLE "${name}" RENAME TO "${archived}"`,
    isFirst
      ? `CREATE TABLE ${FIRST} (LIKE payment_transaction INCLUDING ALL) WITH (${vacuumByNewRows})`
      : `ALTER TABLE ${FIRST} DROP CONSTRAINT ${BOUNDS}`,
    `ALTER TABLE ${FIRST} ADD CONSTRAINT ${BOUNDS} CHECK (root_id < '${until}')`,
    `INSERT INTO ${FIRST} SELECT * FROM "${archived}" WHERE ${staying}`,
    `DELETE FROM "${archived}" WHERE ${staying}`,
    `ALTER TABLE payment_transaction ATTACH PARTITION ${FIRST} FOR VALUES FROM (MINVALUE) TO ('${until}')`,
    `ALTER TABLE archived_payment_transaction ATTACH PARTITION "${archived}"
      FOR VALUES FROM (${from === null ? 'MINVALUE' : `'${from}'`}) TO ('${until}')`,
  ]
}

const detach = (name: string): string => `ALTER TABLE payment_transaction DETACH PARTITION "${name}"`
