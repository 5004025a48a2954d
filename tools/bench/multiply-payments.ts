import type { CopyingDatabase } from './copying-database.ts'
import { limits } from './limits.ts'
import { SPACING_MS } from './store-payments.ts'
import { firstNumbers, NUMBER_DIGITS, referenceOf } from './workload.ts'

/**
 * Adds `count` earlier payments to a database: copies of its stored payments and their accounts, with new ids,
 * merchantTransactionIds and times, `SPACING_MS` apart. The last of them is dated before `untilMs`. The database itself
 * copies the rows, because a client would need hours for 20 million.
 */
export async function multiplyPayments(
  { run, query, columnsSql, textSql, prepare, complete }: CopyingDatabase,
  { count, untilMs }: { readonly count: number; readonly untilMs: number },
  print: (line: string) => void,
): Promise<void> {
  /** A query of the numbers from `from` to below `to` with the id, time and merchantTransactionId of each payment. */
  function numbered(from: number, to: number): string {
    const atMs = `(${untilMs - count * SPACING_MS} + number * ${SPACING_MS})`
    const id = `${textSql(atMs, 'hex', 12)} || ${textSql('number', 'decimal', 20)}`
    const digits = textSql(`${firstNumbers.multiplied} + number`, 'decimal', NUMBER_DIGITS)
    return `WITH RECURSIVE numbers (number) AS (
        SELECT CAST(${from} AS bigint) UNION ALL SELECT number + 1 FROM numbers WHERE number + 1 < ${to})
      SELECT number, ${id} AS id, ${atMs} AS at_ms, '${referenceOf('')}' || ${digits} AS reference FROM numbers`
  }

  for (const sql of prepare) await run(sql)
  // Every stored payment is a model. Its transaction and its account have the same place.
  await run(`CREATE TABLE model_transaction AS
    SELECT row_number() OVER (ORDER BY root_id) - 1 AS place, * FROM payment_transaction WHERE id = account_id`)
  await run(`CREATE TABLE model_account AS
    SELECT m.place, a.* FROM account AS a JOIN model_transaction AS m ON m.id = a.id`)
  for (const model of ['model_transaction', 'model_account'])
    await run(`CREATE UNIQUE INDEX ${model}_place ON ${model} (place)`)
  const [models] = await query<{ count: number }>('SELECT CAST(count(*) AS integer) AS count FROM model_transaction')
  const copies: ((from: number, to: number) => string)[] = []
  for (const [table, model] of [
    ['payment_transaction', 'model_transaction'],
    ['account', 'model_account'],
  ] as const) {
    const names = (await query<{ name: string }>(columnsSql(table))).map(({ name }) => name)
    const values = names.map((name) => copiedValues.get(name) ?? `m."${name}"`)
    copies.push(
      (from, to) => `INSERT INTO ${table} (${names.map((name) => `"${name}"`).join(', ')})
        SELECT ${values.join(', ')} FROM (${numbered(from, to)}) AS n
        JOIN ${model} AS m ON m.place = n.number % ${models?.count ?? 0}`,
    )
  }
  for (let from = 0; from < count; from += limits.multipliedAtOnce) {
    const to = Math.min(from + limits.multipliedAtOnce, count)
    for (const copy of copies) await run(copy(from, to))
    print(`vast: ${to} of ${count} payments added`)
  }
  await run('DROP TABLE model_transaction')
  await run('DROP TABLE model_account')
  for (const sql of complete) await run(sql)
}

/** The values of a copy that differ from those of its model, by column. */
const copiedValues: ReadonlyMap<string, string> = new Map([
  ['id', 'n.id'],
  ['root_id', 'n.id'],
  ['account_id', 'n.id'],
  ['merchant_transaction_id', 'n.reference'],
  ['created_at_ms', 'n.at_ms'],
])
