import { isDeepStrictEqual } from 'node:util'
import { DatabaseSync } from '@photostructure/sqlite'
import { runSql } from '@tollgate/storage/testing'
import { expect } from 'vitest'
import { type Answer, bodyOf, inParallel } from './http.ts'
import type { SentRequest } from './load.ts'
import { post } from './payments.ts'
import type { GatewayProcess } from './process.ts'

// Checks of the durability of payments, for requests that were answered and for requests whose connection ended first.

/** The database in the data folder of a gateway. */
export const databaseName = 'tollgate.db'

/** The requests of one or several loads on the same data. */
export type History = readonly SentRequest[]

/** The maximum number of failures shown. */
const shownMax = 3

/** The transactions with one merchantTransactionId: their number, and the greatest value of each column. */
interface StoredRow {
  readonly merchantTransactionId: string
  readonly times: number
  readonly id: string
  readonly type: string
  readonly code: string
  readonly amount: number | null
}

/**
 * Expects the database file of an ended gateway to contain every acknowledged payment with the id, type, amount and
 * result of its answer, no request twice, and no rejected request.
 */
export function expectStored(file: string, history: History): void {
  expectRows(rowsOfSqlite(file), history)
}

/** Like `expectStored`, for the transactions of any database. */
export function expectRows(rows: readonly StoredRow[], history: History): void {
  const stored = new Map(rows.map((row) => [row.merchantTransactionId, row]))
  const names = new Set(history.map(({ merchantTransactionId }) => merchantTransactionId))
  const unexpected = [...stored.values()].filter(
    ({ merchantTransactionId, times }) => times > 1 || !names.has(merchantTransactionId),
  )
  expect(unexpected.slice(0, shownMax)).toEqual([])
  const wrong = history.flatMap(({ merchantTransactionId, answer }) => {
    const row = stored.get(merchantTransactionId)
    return !answer || isStoredAsAnswered(answer, row) ? [] : [{ merchantTransactionId, answer, row }]
  })
  expect(wrong.slice(0, shownMax)).toEqual([])
}

/** The transactions of a SQLite file by merchantTransactionId. */
export function rowsOfSqlite(file: string): readonly StoredRow[] {
  const database = new DatabaseSync(file, { readOnly: true })
  const rows: StoredRow[] = database.prepare(transactionsSql).all()
  database.close()
  return rows
}

/** The transactions of a PostgreSQL database by merchantTransactionId. */
export async function rowsOfPostgres(url: string): Promise<readonly StoredRow[]> {
  const rows = await runSql<Record<keyof StoredRow, string | null>>(url, transactionsSql)
  return rows.map(({ merchantTransactionId, times, id, type, code, amount }) => ({
    merchantTransactionId: merchantTransactionId ?? '',
    times: Number(times),
    id: id ?? '',
    type: type ?? '',
    code: code ?? '',
    amount: amount === null ? null : Number(amount),
  }))
}

const transactionsSql = `SELECT merchant_transaction_id AS "merchantTransactionId", count(*) AS times, max(id) AS id,
    max(type) AS type, max(result_code) AS code, max(amount_minor) AS amount
  FROM payment_transaction WHERE merchant_transaction_id IS NOT NULL GROUP BY merchant_transaction_id`

function isStoredAsAnswered(answer: Answer, row: StoredRow | undefined): boolean {
  if (isRejected(answer) || !row) return isRejected(answer) && !row
  const body = bodyOf(answer)
  const amount = body['amount'] === undefined ? null : Math.round(Number(body['amount']) * 100)
  return (
    body.id === row.id && body['paymentType'] === row.type && body.result.code === row.code && amount === row.amount
  )
}

/** Whether the answer states that the request was not processed. */
const isRejected = ({ status }: Answer): boolean => status === 503 || status === 429

/**
 * Expects a gateway to return every acknowledged payment as it was answered, and the same bytes for each request that
 * is repeated with its Idempotency-Key. A request with a key that was not answered or was rejected is repeated twice,
 * with equal answers.
 */
export async function expectAnswered(gateway: GatewayProcess, sent: History): Promise<void> {
  const wrong: object[] = []
  const compare = (actual: object, expected: object) => {
    if (!isDeepStrictEqual(actual, expected)) wrong.push({ actual, expected })
  }
  await inParallel(sent, 64, async ({ path, form, key, answer }) => {
    const processed = answer && !isRejected(answer) ? answer : undefined
    if (processed) {
      const read = await gateway.get(bodyOf(processed).id)
      compare({ status: read.status, ...withoutTime(read) }, { status: 200, ...withoutTime(processed) })
    }
    if (key === undefined) return
    const repeat = () => gateway.client.send(post(path, form, { 'idempotency-key': key }))
    const repeated = await repeat()
    const expected = processed ?? (await repeat())
    compare({ status: repeated.status, text: repeated.text }, { status: expected.status, text: expected.text })
  })
  expect(wrong.slice(0, shownMax)).toEqual([])
}

/** The parts of an answer that do not depend on its time. */
export function withoutTime(answer: Answer): object {
  const { ndc: _ndc, timestamp: _timestamp, ...rest } = bodyOf(answer)
  return rest
}
