import { randomFillSync } from 'node:crypto'
import { join } from 'node:path'
import {
  type AccountRow,
  type AcquirerAttemptRow,
  openSqlite,
  type Storage,
  type TransactionRow,
  type Unit,
} from '@tollgate/storage'
import { DAY_MS } from '@tollgate/contract'
import { BenchError } from './bench-error.ts'
import { limits } from './limits.ts'
import { firstNumbers, numberText, numberTextIn, referenceOf } from './workload.ts'

/** The rows of a real payment, which are copied. */
export interface Model {
  readonly transaction: TransactionRow
  readonly account: AccountRow
  /** Messages to the acquirer's host. */
  readonly attempts: readonly AcquirerAttemptRow[]
}

/** Interval between stored payments: a million of them span twelve days. */
export const SPACING_MS = 1000

/** The merchantTransactionId of a stored payment. */
export const priorReference = (number: number): string => referenceOf(numberText(firstNumbers.stored + number))

/** The reference (ConnectorTxID1) of a stored payment at the acquirer's host, 12 digits. */
export const hostReference = (number: number): string => String(700_000_000_000 + number)

/** Distributes `count` payments over the time before `untilMs`, epoch milliseconds. */
export interface StoredTimes {
  readonly untilMs: number
  readonly spacingMs: number
}

/** The time of a stored payment, epoch milliseconds. */
export const storedAtMs = (number: number, count: number, { untilMs, spacingMs }: StoredTimes): number =>
  untilMs - (count - number) * spacingMs

/**
 * Fills a data folder with payments of the past: copies of the rows of real payments, with new ids, numbers (in the
 * merchantTransactionId and the e-mail address), times and sealed bytes, committed in the order of their times, as the
 * gateway commits payments.
 *
 * @param data the folder of a gateway that is not running
 * @param models ids of payments in the folder, of `payModels`
 * @param untilMs the time near which the last of them is dated, epoch milliseconds
 * @returns the models in their order: payment n is a copy of model n modulo their number
 */
export async function storePayments(
  data: string,
  models: readonly string[],
  count: number,
  { untilMs = Date.now(), spacingMs = SPACING_MS }: Partial<StoredTimes> = {},
): Promise<readonly Model[]> {
  const storage = await openSqlite({ file: join(data, 'tollgate.db') })
  const rows: Model[] = []
  for (const id of models) rows.push(await modelOf(storage, id))
  for (let from = 0; from < count; from += limits.preparedDepth) {
    const units: Unit[] = []
    for (let number = from; number < Math.min(from + limits.preparedDepth, count); number += 1) {
      const model = rows[number % rows.length]
      if (!model) throw new BenchError('there are no payments to copy')
      units.push(copyOf(model, number, storedAtMs(number, count, { untilMs, spacingMs })))
    }
    await Promise.all(units.map((unit) => commit(storage, unit)))
  }
  await storage.close()
  return rows
}

async function modelOf(storage: Storage, id: string): Promise<Model> {
  const transaction = (await storage.treeOf(id))?.transactions[0]
  const account = await storage.account(id)
  if (!transaction || !account) throw new BenchError(`the payment ${id} was approved, but is not stored`)
  return { transaction, account, attempts: await storage.acquirerAttempts(id) }
}

async function commit(storage: Storage, unit: Unit): Promise<void> {
  const { kind } = await storage.commit(unit)
  if (kind !== 'committed') throw new BenchError(`the commit of a prepared payment was answered with ${kind}`)
}

function copyOf({ transaction, account, attempts }: Model, number: number, atMs: number): Unit {
  const id = timePartOf(atMs) + random(10).toString('hex')
  const reference = priorReference(number)
  const { merchant, merchant_transaction_id: modelReference } = transaction
  if (modelReference === null) throw new BenchError('a payment to copy has no merchantTransactionId')
  return {
    id,
    expectedVersions: [{ id, merchant, version: 0 }],
    rows: {
      payment_transaction: [
        {
          ...transaction,
          id,
          root_id: id,
          account_id: id,
          merchant_transaction_id: reference,
          echo: transaction.echo.replaceAll(numberTextIn(modelReference), numberTextIn(reference)),
          outcome: outcomeOf(transaction, attempts.length > 0 ? hostReference(number) : undefined).replaceAll(
            transaction.id,
            id,
          ),
          created_at_ms: atMs,
        },
      ],
      account: [{ ...account, id, sealed: random(account.sealed?.length ?? 0), created_at_ms: atMs }],
      acquirer_attempt: attempts.map((attempt) => ({
        ...attempt,
        id: timePartOf(atMs) + random(10).toString('hex'),
        transaction_id: id,
        created_at_ms: atMs,
        settlement_day: Math.floor(atMs / DAY_MS),
      })),
    },
  }
}

const REFERENCE = /"ConnectorTxID1":"[^"]*"/

const outcomeOf = ({ outcome }: TransactionRow, reference: string | undefined): string =>
  reference === undefined ? outcome : outcome.replace(REFERENCE, `"ConnectorTxID1":"${reference}"`)

/** The first characters of an id of a time, epoch milliseconds. */
const timePartOf = (atMs: number): string => atMs.toString(16).padStart(12, '0')

function random(bytes: number): Buffer {
  return randomFillSync(Buffer.allocUnsafe(bytes))
}
