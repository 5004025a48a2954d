import { afterAll, beforeAll, expect, test } from 'vitest'
import { newDatabase, removeDatabase } from '../testing/postgres-database.ts'
import { buildIndexes } from './build-indexes.ts'
import { compiledMigrations } from './compiled-migrations.ts'
import { type Connection, connect } from './database.ts'
import { migrate } from './migrate.ts'
import { numberParameters } from './number-parameters.ts'
import { partitionEmpty } from './partitions.ts'
import { readsOn } from './read.ts'

let url: string
let database: Connection

beforeAll(async () => {
  url = await newDatabase(process.env['TOLLGATE_TEST_DATABASE_URL'])
  const migrator = await connect(url, 'migrate')
  await migrate(migrator, compiledMigrations())
  await partitionEmpty(migrator, Date.now())
  await buildIndexes(migrator)
  await migrator.close()
  database = await connect(url, 'read')
})

afterAll(async () => {
  await database.close()
  await removeDatabase(url)
})

/** Reads of whole small tables: at the start, after changes of the tables, and for requests of operators. */
const wholeTableReads: ReadonlySet<string> = new Set([
  'entities',
  'riskRules',
  'routeLists',
  'connectors',
  'accessTokens',
  'webhooks',
  'webhookKeys',
  'terminals',
])

const tableRows = process.env['TOLLGATE_TEST_LONG'] === '1' ? 100_000 : 5_000

/** Statements that fill the tables of queries with parameters. All rows are of one merchant, and jobs of few queues. */
const fillStatements = [
  `INSERT INTO tree SELECT 'p' || lpad(n::text, 9, '0'), 'm', 1 FROM generate_series(1, ${tableRows}) n`,
  `INSERT INTO payment_transaction SELECT id, id, merchant, 'c', NULL, 'DB', 'ACK', 1, 'EUR', NULL, NULL, NULL, NULL,
    'r' || id, 'n' || id, 'i' || id, NULL, '000', '{}', '{}', '{}', 1 FROM tree`,
  `INSERT INTO payment_transaction SELECT id, 'c' || id, merchant, 'c', id, 'RF', 'ACK', 1, 'EUR', NULL, NULL, NULL,
    NULL, NULL, NULL, NULL, NULL, '000', '{}', '{}', '{}', 1 FROM tree`,
  `INSERT INTO account SELECT id, merchant, 'card', NULL, NULL, NULL, NULL, NULL, NULL, '{}', NULL, NULL, NULL, NULL,
    NULL, 1 FROM tree`,
  `INSERT INTO acquirer_attempt SELECT id, id, merchant, 'request', 'c', '{}', NULL, 1 FROM tree`,
  `INSERT INTO card_declines SELECT id, merchant, '{}', row_number() OVER (ORDER BY id),
    row_number() OVER (ORDER BY id) FROM tree`,
  `INSERT INTO registration SELECT id, merchant, 'c', id, 1, row_number() OVER (ORDER BY id), NULL, NULL, NULL, '{}',
    NULL FROM tree`,
  `INSERT INTO velocity SELECT 'k' || right(id, 3), merchant, row_number() OVER (ORDER BY id), id, 1, 'EUR' FROM tree`,
  `INSERT INTO idempotency_key SELECT id, merchant, 'f', 200, '000', '{}', 1, 2 FROM tree`,
  `INSERT INTO unique_key SELECT id, merchant, id, 1, 2 FROM tree`,
  `INSERT INTO job SELECT id, merchant, 'delivery', 'w' || right(id, 1), id, row_number() OVER (ORDER BY id), 0,
    CASE WHEN id LIKE '%7' THEN 1 END, CASE WHEN id LIKE '%8' THEN 1 END, NULL, NULL, 1 FROM tree`,
  `INSERT INTO event SELECT id, merchant, 'c', id, 'PAYMENT', NULL, '{}', 1 FROM tree`,
  `INSERT INTO delivery_attempt SELECT id, merchant, 1, 1, 1, NULL, NULL, '' FROM tree`,
  `INSERT INTO schedule SELECT id, merchant, 'c', id, id, '{}', 1, NULL, 0, NULL, NULL, NULL, NULL, 1 FROM tree`,
  `INSERT INTO checkout SELECT id, merchant, 'c', '{}', NULL, NULL, NULL, 1, row_number() OVER (ORDER BY id)
    FROM tree`,
  `INSERT INTO visit SELECT id, merchant, id, NULL, 'bank', '{}', '{}', 1, 1, row_number() OVER (ORDER BY id)
    FROM tree`,
  `INSERT INTO installation SELECT id, '' FROM tree`,
]

/** The statements of all reads by their names. */
function statements(): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  readsOn((name, sql) => {
    texts.set(name, numberParameters(sql))
    return { one: async () => undefined, all: async () => [] }
  })
  return texts
}

/** The plans of all queries, with a value of the type that PostgreSQL infers for each parameter. */
async function explainAll(): Promise<Map<string, string>> {
  const plans = new Map<string, string>()
  for (const [name, text] of statements()) {
    await database.query(`PREPARE explained AS ${text}`)
    const [types] = await database.query<{ names: string }>(
      `SELECT parameter_types::text[]::text AS names FROM pg_prepared_statements WHERE name = 'explained'`,
    )
    const names = types?.names.slice(1, -1).split(',').filter(Boolean) ?? []
    const values = names.map((type, index) => {
      if (type === 'text') return `'p000010000'`
      if (type === 'json') return `'["p000010000"]'`
      return index === names.length - 1 ? '100' : '10000'
    })
    const lines = await database.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN EXECUTE explained${values.length > 0 ? `(${values.join(', ')})` : ''}`,
    )
    plans.set(name, lines.map((line) => line['QUERY PLAN']).join('\n'))
    await database.query('DEALLOCATE explained')
  }
  return plans
}

test('every query with parameters uses an index, on empty and on full tables', async () => {
  const check = (plans: ReadonlyMap<string, string>) => {
    for (const [name, plan] of plans) {
      if (!wholeTableReads.has(name)) expect.soft(plan, name).not.toContain('Seq Scan')
    }
  }
  // Without statistics the server assumes that a table has ten pages.
  check(await explainAll())
  for (const statement of fillStatements) await database.query(statement)
  check(await explainAll())
  await database.query('ANALYZE')
  check(await explainAll())
})
