import { randomFillSync } from 'node:crypto'
import { join } from 'node:path'
import { type AccountRow, openSqlite, type Storage, type TransactionRow, type Unit } from '@tollgate/storage'
import { BenchError } from './bench-error.ts'
import { limits } from './limits.ts'
import { firstNumbers, numberText, numberTextIn, referenceOf } from './workload.ts'

/** The rows of a real payment, which are copied. */
interface Model {
  readonly transaction: TransactionRow
  readonly account: AccountRow
}

/** Interval between stored payments: a million of them span twelve days. */
export const SPACING_MS = 1000

/** The merchantTransactionId of a stored payment. */
export const priorReference = (number: number): string => referenceOf(numberText(firstNumbers.stored + number))

/**
 * Fills a data folder with payments of the past: copies of the rows of real payments, with new ids, numbers (in the
 * merchantTransactionId and the e-mail address), times and sealed bytes, committed in the order of their times, as the
 * gateway commits payments.
 *
 * @param data the folder of a gateway that is not running
 * @param models ids of payments in the folder, of `payModels`
 * @param untilMs the time near which the last of them is dated, epoch milliseconds
 */
export async function storePayments(
  data: string,
  models: readonly string[],
  count: number,
  untilMs = Date.now(),
): Promise<void> {
  const storage = await openSqlite({ file: join(data, 'tollgate.db') })
  const rows: Model[] = []
  for (const id of models) rows.push(await modelOf(storage, id))
  const firstMs = untilMs - count * SPACING_MS
  for (let from = 0; from < count; from += limits.preparedDepth) {
    const units: Unit[] = []
    for (let number = from; number < Math.min(from + limits.preparedDepth, count); number += 1) {
      const model = rows[number % rows.length]
      if (!model) throw new BenchError('there are no payments to copy')
      units.push(copyOf(model, number, firstMs + number * SPACING_MS))
    }
    await Promise.all(units.map((unit) => commit(storage, unit)))
  }
  await storage.close()
}

async function modelOf(storage: Storage, id: string): Promise<Model> {
  const transaction = (await storage.treeOf(id))?.transactions[0]
  const account = await storage.account(id)
  if (!transaction || !account) throw new BenchError(`the payment ${id} was approved, but is not stored`)
  return { transaction, account }
}

async function commit(storage: Storage, unit: Unit): Promise<void> {
  const { kind } = await storage.commit(unit)
  if (kind !== 'committed') throw new BenchError(`the commit of a prepared payment was answered with ${kind}`)
}

function copyOf({ transaction, account }: Model, number: number, atMs: number): Unit {
  const id = atMs.toString(16).padStart(12, '0') + random(10).toString('hex')
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
          outcome: transaction.outcome.replaceAll(transaction.id, id),
          created_at_ms: atMs,
        },
      ],
      account: [{ ...account, id, sealed: random(account.sealed?.length ?? 0), created_at_ms: atMs }],
    },
  }
}

function random(bytes: number): Buffer {
  return randomFillSync(Buffer.allocUnsafe(bytes))
}
