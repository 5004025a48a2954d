import { limits } from '../limits.ts'
import { positionAt, timeOf } from '../position.ts'
import { vacuumByNewRows } from './compiled-migrations.ts'
import type { Connection } from './database.ts'
import type { PackedUnit } from './pack.ts'

/** The advisory lock of the process that partitions the transactions: an arbitrary number. */
const lockNumber = 7_055_418_354

/**
 * The end of the times by which transactions are partitioned, as a bound of root ids. Ids of registrations are random
 * and above it (createIds), except a sixteenth of those of earlier versions.
 */
const END_OF_TIMES = positionAt(Date.UTC(2100, 0))

/** The constraint of the partition `later`, which a new payment breaks if its month has no partition. */
export const MONTH_IS_MISSING = 'payment_transaction_month_is_missing'

/**
 * The constraint of each partition of times with its bounds. By it the partition can be attached to another table
 * without a scan.
 */
export const BOUNDS = 'transaction_bounds'

/** The constraint of a table of an earlier version while it becomes a partition. */
export const IS_BEING_PARTITIONED = 'payment_transaction_is_being_partitioned'

/**
 * The start of the month in UTC that is `months` after that of a time.
 * @param atMs epoch milliseconds
 */
export function monthAfter(atMs: number, months: number): number {
  const at = new Date(atMs)
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months)
}

/**
 * Partitions an empty table of transactions, as in a new database; other tables are partitioned by `keepPartitions`.
 * The caller holds the lock of migrations.
 *
 * @param atMs the time from whose month on months have partitions, epoch milliseconds
 * @throws the errors of the connection
 */
export async function partitionEmpty(connection: Connection, atMs: number): Promise<void> {
  const { query } = connection
  if (await arePartitioned(connection)) return
  const bound = positionAt(monthAfter(atMs, 0))
  await inTransaction(connection, limits.monthLockMs, async () => {
    await query('LOCK TABLE payment_transaction IN ACCESS EXCLUSIVE MODE')
    const [row] = await query('SELECT 1 FROM payment_transaction LIMIT 1')
    if (row) return
    for (const step of [addBound(bound), ...stepsOf(bound)]) await query(step)
  })
  if (await arePartitioned(connection)) await makeMonths(connection, atMs)
}

/**
 * Partitions the transactions of an earlier version, and makes the partitions of the next months. One process at a time
 * does this, while payments proceed.
 *
 * While the table of an earlier version becomes a partition, which takes about as long as reading it once, its
 * registrations cannot be changed and none can be added.
 *
 * @throws the errors of the connection, of which the caller has no other use; the next call continues
 */
export async function keepPartitions(connection: Connection, atMs: number): Promise<void> {
  const { query } = connection
  if (!(await lockPartitions(connection))) return
  try {
    if (!(await arePartitioned(connection))) await partitionStored(connection, atMs)
    await makeMonths(connection, atMs)
  } finally {
    await query(`SELECT pg_advisory_unlock(${lockNumber})`)
  }
}

/**
 * Takes the lock of the process that changes partitions, unless another process has it; the lock ends with the
 * connection. The query does not wait, because the build of an index would wait for the waiting session.
 */
export async function lockPartitions({ query }: Connection): Promise<boolean> {
  const [lock] = await query<{ isAcquired: boolean }>(`SELECT pg_try_advisory_lock(${lockNumber}) AS "isAcquired"`)
  return lock?.isAcquired === true
}

/** The time of the server, epoch milliseconds. A payment that a test clock dates later has its partition made. */
export async function serverTime({ query }: Pick<Connection, 'query'>): Promise<number> {
  const [row] = await query<{ atMs: number }>(`SELECT (extract(epoch FROM now()) * 1000)::bigint AS "atMs"`)
  if (!row) throw new Error('invariant: a SELECT without a table returned no row')
  return row.atMs
}

/** Makes the partitions of the months up to `limits.monthsAhead` after a time that have none. */
export async function makeMonths({ query }: Pick<Connection, 'query'>, atMs: number): Promise<void> {
  await query('SELECT make_transaction_months($1)', [Math.floor(atMs)])
}

/** The times of new payments in a unit, epoch milliseconds. */
export const timesOfUnit = ({ rows }: PackedUnit): number[] =>
  rows.flatMap(({ relation, cells: [rootId, id, , , , type] }) =>
    relation === 'put payment_transaction' && id === rootId && type !== 'RG' ? timesOfId(String(id)) : [],
  )

/** The times of the payments among transactions, epoch milliseconds. */
export const timesOfRows = (rows: readonly object[]): number[] =>
  rows.flatMap((row) =>
    'root_id' in row && 'id' in row && 'type' in row && row.id === row.root_id && row.type !== 'RG'
      ? timesOfId(String(row.id))
      : [],
  )

/** The time of a time-ordered id; none if the id is random. */
function timesOfId(id: string): number[] {
  const atMs = timeOf(id)
  return id < END_OF_TIMES && !Number.isNaN(atMs) ? [atMs] : []
}

/** Selects a row if the transactions are partitioned. */
export const partitionedSql = `SELECT 1 FROM pg_class WHERE oid = to_regclass('payment_transaction') AND relkind = 'p'`

/** Whether the transactions are partitioned. Then `child_transaction` contains every child. */
export async function arePartitioned({ query }: Pick<Connection, 'query'>): Promise<boolean> {
  const [table] = await query(partitionedSql)
  return table !== undefined
}

/** The number of months after that of `atMs` that have partitions; undefined if there are no partitions. */
export async function monthsAhead({ query }: Pick<Connection, 'query'>, atMs: number): Promise<number | undefined> {
  const [row] = await query<{ bound: string }>(
    `SELECT substring(pg_get_expr(relpartbound, oid) FROM 'FROM \\(''([0-9a-f]+)''') AS bound
      FROM pg_class WHERE oid = to_regclass('payment_transaction_later')`,
  )
  if (!row) return undefined
  const end = new Date(Number.parseInt(row.bound, 16))
  const now = new Date(atMs)
  return (end.getUTCFullYear() - now.getUTCFullYear()) * 12 + end.getUTCMonth() - now.getUTCMonth() - 1
}

/** The finding that transactions are not partitioned, or that a partition of the next month is missing, if any. */
export async function missingPartitions(
  connection: Pick<Connection, 'query'>,
  atMs: number,
): Promise<readonly string[]> {
  const cause = 'a gateway makes partitions at its start and every hour; look for locks that are held long'
  if (!(await arePartitioned(connection))) return [`payment_transaction has no partitions; ${cause}`]
  const months = (await monthsAhead(connection, atMs)) ?? 1
  return months >= 1 ? [] : [`payment_transaction has no partition of the next month; ${cause}`]
}

async function partitionStored(connection: Connection, atMs: number): Promise<void> {
  const { query } = connection
  const [newest] = await query<{ id: string }>(
    `SELECT root_id AS id FROM payment_transaction WHERE root_id < '${END_OF_TIMES}' AND id = root_id AND type <> 'RG'
      ORDER BY root_id DESC LIMIT 1`,
  )
  // No payment reaches the bound before the table is a partition.
  const boundMs = monthAfter(Math.max(atMs + limits.partitioningMs, ...timesOfId(newest?.id ?? '')), 1)
  await query(`INSERT INTO child_transaction (id, merchant, root_id)
    SELECT id, merchant, root_id FROM payment_transaction WHERE id <> root_id ON CONFLICT DO NOTHING`)
  await query(`DROP INDEX CONCURRENTLY IF EXISTS payment_transaction_follow_up`)
  await query(`CREATE INDEX CONCURRENTLY payment_transaction_follow_up ON payment_transaction (id) WHERE id <> root_id`)
  // The constraint is validated before the table is locked, so that the lock is short.
  const bound = positionAt(boundMs)
  await inTransaction(connection, limits.monthLockMs, async () => {
    for (const step of [dropBound, addBound(bound)]) await query(step)
  })
  try {
    await inTransaction(connection, limits.monthLockMs, async () => {
      for (const step of stepsOf(bound)) await query(step)
    })
  } catch (error) {
    await query(dropBound).catch(() => {})
    throw error
  }
}

/** Runs a task in a transaction, which waits at most `lockMs` for each lock. */
export async function inTransaction({ query }: Connection, lockMs: number, task: () => Promise<void>): Promise<void> {
  await query('BEGIN')
  try {
    await query(`SET LOCAL lock_timeout = ${lockMs}`)
    await task()
    await query('COMMIT')
  } catch (error) {
    await query('ROLLBACK').catch(() => {})
    throw error
  }
}

const dropBound = `ALTER TABLE payment_transaction DROP CONSTRAINT IF EXISTS ${IS_BEING_PARTITIONED}`

const addBound = (bound: string): string =>
  `ALTER TABLE payment_transaction ADD CONSTRAINT ${IS_BEING_PARTITIONED} CHECK (root_id < '${bound}') NOT VALID`

/**
 * The steps that make the table of transactions the first partition, up to a bound, of a new table with its name. They
 * lock the table at the end, after the steps that take long.
 */
const stepsOf = (bound: string): readonly string[] => [
  partitionLike('payment_transaction', 'payment_transaction_registrations'),
  partitionLike('payment_transaction', 'payment_transaction_later'),
  moveRows('payment_transaction_registrations', `root_id >= '${END_OF_TIMES}'`),
  moveRows('payment_transaction_later', `root_id >= '${bound}'`),
  `ALTER TABLE payment_transaction_later ADD CONSTRAINT ${MONTH_IS_MISSING} CHECK (id <> root_id OR type = 'RG')`,
  `ALTER TABLE payment_transaction VALIDATE CONSTRAINT ${IS_BEING_PARTITIONED}`,
  'LOCK TABLE payment_transaction IN ACCESS EXCLUSIVE MODE',
  'CREATE INDEX IF NOT EXISTS payment_transaction_follow_up ON payment_transaction (id) WHERE id <> root_id',
  'DROP TRIGGER add_child_transaction ON payment_transaction',
  'ALTER TABLE payment_transaction RENAME TO payment_transaction_first',
  dropUniqueChildIndexes,
  renameIndexes,
  `CREATE TABLE payment_transaction (LIKE payment_transaction_first INCLUDING ALL EXCLUDING CONSTRAINTS)
    PARTITION BY RANGE (root_id)`,
  `ALTER TABLE payment_transaction ATTACH PARTITION payment_transaction_first
    FOR VALUES FROM (MINVALUE) TO ('${bound}')`,
  `ALTER TABLE payment_transaction_first RENAME CONSTRAINT ${IS_BEING_PARTITIONED} TO ${BOUNDS}`,
  `ALTER TABLE payment_transaction ATTACH PARTITION payment_transaction_later
    FOR VALUES FROM ('${bound}') TO ('${END_OF_TIMES}')`,
  `ALTER TABLE payment_transaction ATTACH PARTITION payment_transaction_registrations
    FOR VALUES FROM ('${END_OF_TIMES}') TO (MAXVALUE)`,
  `CREATE TRIGGER add_child_transaction AFTER INSERT ON payment_transaction
    FOR EACH ROW WHEN (NEW.id <> NEW.root_id) EXECUTE FUNCTION add_child_transaction()`,
  copyRights,
  boundFunction,
  monthsFunction,
]

/** The step that creates a table with columns, constraints and indexes of another, and the settings of a partition. */
function partitionLike(table: string, name: string): string {
  return `CREATE TABLE ${name} (LIKE ${table} INCLUDING ALL EXCLUDING CONSTRAINTS) WITH (${vacuumByNewRows})`
}

/** The step that moves rows of the table of an earlier version to another table. */
const moveRows = (name: string, condition: string): string =>
  `WITH moved AS (DELETE FROM payment_transaction WHERE ${condition} RETURNING *)
    INSERT INTO ${name} SELECT * FROM moved`

/** Drops the unique indexes of children, in whose place there is the key of `child_transaction`. */
const dropUniqueChildIndexes = `DO $$ DECLARE name regclass; BEGIN
  FOR name IN SELECT indexrelid FROM pg_index WHERE indisunique AND NOT indisprimary AND indrelid IN
    ('payment_transaction_first'::regclass, 'payment_transaction_registrations'::regclass,
      'payment_transaction_later'::regclass) LOOP
    EXECUTE format('DROP INDEX %s', name);
  END LOOP;
END $$`

const renameIndexes = `DO $$ DECLARE name text; BEGIN
  FOR name IN SELECT c.relname FROM pg_index JOIN pg_class AS c ON c.oid = indexrelid
    WHERE indrelid = 'payment_transaction_first'::regclass LOOP
    EXECUTE format('ALTER INDEX %I RENAME TO %I', name,
      replace(name, 'payment_transaction', 'payment_transaction_first'));
  END LOOP;
END $$`

/** Grants the rights on the table of an earlier version on the new table too. */
const copyRights = `DO $$ DECLARE granted record; BEGIN
  FOR granted IN SELECT a.privilege_type AS privilege, a.is_grantable,
    CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END AS grantee
    FROM pg_class AS c, aclexplode(c.relacl) AS a
    WHERE c.oid = 'payment_transaction_first'::regclass AND a.grantee <> c.relowner LOOP
    EXECUTE format('GRANT %s ON payment_transaction TO %s%s', granted.privilege, granted.grantee,
      CASE WHEN granted.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END);
  END LOOP;
END $$`

/**
 * The function that makes partitions of months. It has the rights of the owner, because the user of a gateway need not
 * have the right to create tables. The partition `later` is taken out meanwhile, which waits for all statements on the
 * transactions, but for a bounded time; its few rows of the new months are moved. After a jump of the clock one
 * partition takes all months except the last ones.
 */
const monthsFunction = `CREATE FUNCTION make_transaction_months(at_ms bigint) RETURNS void LANGUAGE plpgsql
  SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = ${limits.monthLockMs} SET timezone = 'UTC' AS $$
  DECLARE
    end_of_times CONSTANT timestamptz := '2100-01-01';
    first_bound timestamptz;
    bound timestamptz;
    next_bound timestamptz;
    -- The end of each new partition.
    bounds timestamptz[] := '{}';
    goal timestamptz := least(end_of_times,
      date_trunc('month', to_timestamp(at_ms / 1000.0)) + interval '${limits.monthsAhead + 1} months');
    name text;
  BEGIN
    PERFORM pg_advisory_xact_lock(${lockNumber + 1});
    SELECT to_timestamp(('x' || lpad(substring(pg_get_expr(relpartbound, oid) FROM 'FROM \\(''([0-9a-f]+)'''), 16, '0'))
      ::bit(64)::bigint / 1000.0) INTO first_bound FROM pg_class WHERE oid = to_regclass('payment_transaction_later');
    IF first_bound IS NULL OR first_bound >= goal THEN
      RETURN;
    END IF;
    -- The tables are created before the lock, because their indexes take most of the time.
    bound := first_bound;
    WHILE bound < goal LOOP
      next_bound := bound + interval '1 month';
      IF goal > bound + interval '${limits.monthsAtOnce} months' THEN
        next_bound := goal - interval '${limits.monthsAhead + 1} months';
      END IF;
      EXECUTE format('CREATE TABLE %I (LIKE payment_transaction INCLUDING ALL,
        CONSTRAINT ${BOUNDS} CHECK (root_id >= %L AND root_id < %L)) WITH (${vacuumByNewRows})',
        'payment_transaction_' || to_char(bound, 'YYYY_MM'), transaction_bound(bound), transaction_bound(next_bound));
      bounds := bounds || next_bound;
      bound := next_bound;
    END LOOP;
    ALTER TABLE payment_transaction DETACH PARTITION payment_transaction_later;
    bound := first_bound;
    FOREACH next_bound IN ARRAY bounds LOOP
      name := 'payment_transaction_' || to_char(bound, 'YYYY_MM');
      EXECUTE format('WITH moved AS (DELETE FROM payment_transaction_later WHERE root_id < %L RETURNING *)
        INSERT INTO %I SELECT * FROM moved', transaction_bound(next_bound), name);
      EXECUTE format('ALTER TABLE payment_transaction ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
        name, transaction_bound(bound), transaction_bound(next_bound));
      bound := next_bound;
    END LOOP;
    IF bound < end_of_times THEN
      EXECUTE format('ALTER TABLE payment_transaction ATTACH PARTITION payment_transaction_later
        FOR VALUES FROM (%L) TO (%L)', transaction_bound(bound), transaction_bound(end_of_times));
    ELSE
      DROP TABLE payment_transaction_later;
    END IF;
  END $$`

const boundFunction = `CREATE FUNCTION transaction_bound(at timestamptz) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') $$`
