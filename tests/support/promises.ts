import { isDeepStrictEqual } from 'node:util'
import { DatabaseSync } from '@photostructure/sqlite'
import { runSql } from '@tollgate/storage/testing'
import { expect } from 'vitest'
import { type Answer, bodyOf, inParallel } from './http.ts'
import type { Sent } from './load.ts'
import { post } from './payments.ts'
import type { GatewayProcess } from './process.ts'

// Checks of requests that were answered, and of those whose connection ended first, after any failure of the process.

/** The database in the data folder of a gateway. */
export const databaseName = 'tollgate.db'

/** Everything sent to one data folder, across all processes that worked on it. */
export type History = readonly Sent[]

/** The number of failures that are shown. */
const shownMax = 3

interface StoredRow {
  readonly name: string
  readonly times: number
  readonly id: string
  readonly type: string
  readonly code: string
  readonly amount: number | null
}

/**
 * Reads the file of a gateway that has ended: every acknowledged payment is in it, with the id, the type, the amount
 * and the result of its answer, no request is in it twice, and none that was refused is in it.
 */
export function expectStored(file: string, history: History): void {
  expectRows(storedRows(file), history)
}

/** The same of the transactions of any database. */
export function expectRows(rows: readonly StoredRow[], history: History): void {
  const stored = new Map(rows.map((row) => [row.name, row]))
  const names = new Set(history.map(({ merchantTransactionId }) => merchantTransactionId))
  const doubled = [...stored.values()].filter(({ name, times }) => times > 1 || !names.has(name))
  expect(doubled.slice(0, shownMax)).toEqual([])
  const wrong = history.flatMap(({ merchantTransactionId, answer }) => {
    const row = stored.get(merchantTransactionId)
    return !answer || isKept(answer, row) ? [] : [{ merchantTransactionId, answer, row }]
  })
  expect(wrong.slice(0, shownMax)).toEqual([])
}

/** The transactions of the file by merchantTransactionId. */
export function storedRows(file: string): readonly StoredRow[] {
  const database = new DatabaseSync(file, { readOnly: true })
  const rows: StoredRow[] = database.prepare(transactions).all()
  database.close()
  return rows
}

/** The same of a PostgreSQL database. */
export async function rowsOfPostgres(url: string): Promise<readonly StoredRow[]> {
  const rows = await runSql<Record<keyof StoredRow, string | null>>(url, transactions)
  return rows.map(({ name, times, id, type, code, amount }) => ({
    name: name ?? '',
    times: Number(times),
    id: id ?? '',
    type: type ?? '',
    code: code ?? '',
    amount: amount === null ? null : Number(amount),
  }))
}

const transactions = `SELECT merchant_transaction_id AS name, count(*) AS times, max(id) AS id, max(type) AS type,
    max(result_code) AS code, max(amount_minor) AS amount
  FROM payment_transaction WHERE merchant_transaction_id IS NOT NULL GROUP BY merchant_transaction_id`

function isKept(answer: Answer, row: StoredRow | undefined): boolean {
  if (isTurnedAway(answer) || !row) return isTurnedAway(answer) && !row
  const body = bodyOf(answer)
  const amount = body['amount'] === undefined ? null : Math.round(Number(body['amount']) * 100)
  return (
    body.id === row.id && body['paymentType'] === row.type && body.result.code === row.code && amount === row.amount
  )
}

/** "The request was not processed." */
const isTurnedAway = ({ status }: Answer): boolean => status === 503 || status === 429

/**
 * Reads from a gateway that has started again: every acknowledged payment reads as it was answered, and a request sent
 * again under its Idempotency-Key gets the same bytes; one that had no answer gets one, and then the same again.
 */
export async function expectAnswered(gateway: GatewayProcess, sent: History): Promise<void> {
  const wrong: object[] = []
  const compare = (found: object, expected: object) => {
    if (!isDeepStrictEqual(found, expected)) wrong.push({ found, expected })
  }
  await inParallel(sent, 64, async ({ path, form, key, answer }) => {
    const processed = answer && !isTurnedAway(answer) ? answer : undefined
    if (processed) {
      const found = await gateway.get(bodyOf(processed).id)
      compare({ status: found.status, ...lasting(found) }, { status: 200, ...lasting(processed) })
    }
    if (key === undefined) return
    const resend = () => gateway.client.send(post(path, form, { 'idempotency-key': key }))
    const again = await resend()
    const first = processed ?? (await resend())
    compare({ status: again.status, text: again.text }, { status: first.status, text: first.text })
  })
  expect(wrong.slice(0, shownMax)).toEqual([])
}

/** The parts of an answer that do not depend on its time. */
function lasting(answer: Answer): object {
  const { ndc: _ndc, timestamp: _timestamp, ...rest } = bodyOf(answer)
  return rest
}
