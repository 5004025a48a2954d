import type { Reader, StoredTree, TransactionFilter } from '../port.ts'
import { positioned, newestFirst, positionOf } from '../position.ts'
import { reads, readsBy } from '../reads.ts'
import type { TransactionRow } from '../schema.ts'
import { compareCodeUnits } from './compare-code-units.ts'
import { copyOf, type MemoryDisk, storedTransactions, treeRowOf } from './disk.ts'

/**
 * The reading half of the port; every row is a copy.
 * @param disk returns the rows, or throws after the storage was closed
 */
export function memoryReader(disk: () => MemoryDisk): Omit<Reader, 'close'> {
  const tableReads = readsBy(
    (_name, read) =>
      async (...values) =>
        read.inMemory(disk(), ...values),
  )

  return {
    ...tableReads,
    treeOf: async (id) => treeOfRoot(disk(), id) ?? treeOfRoot(disk(), disk().rootOfChild.get(id)),
    treesWithChildren: async (rootIds) =>
      [...new Set(rootIds)]
        .filter((id) => disk().tree.has(id))
        .map((id) => treeOfRoot(disk(), id))
        .filter((tree) => tree !== undefined)
        .filter(({ transactions }) => transactions.length > 1),
    async transactions(ids) {
      const { rootOfChild, transactionsOf } = disk()
      return ids.flatMap((id) => {
        const treeRows = [id, rootOfChild.get(id) ?? ''].flatMap((root) => transactionsOf.get(root) ?? [])
        const row = treeRows.find((each) => each.id === id)
        return row ? [copyOf('payment_transaction', row)] : []
      })
    },
    async byNetworkId(id, merchant) {
      const [row] = storedTransactions(disk())
        .filter((each) => each.network_transaction_id === id && each.merchant === merchant)
        .toSorted((a, b) => a.created_at_ms - b.created_at_ms || compareCodeUnits(a.id, b.id))
      return row && { row: copyOf('payment_transaction', row), version: treeRowOf(disk(), row.root_id)?.version ?? 1 }
    },
    transactionsBefore: async (filter, before, from) => ({
      transactions: newestFirst(between(disk(), filter, before, from).map(positioned)),
      reached: from,
    }),
    async rowsBefore(filter, before, from, max) {
      const rows = between(disk(), filter, before, from).map((row) => ({
        ...positioned(row),
        row: copyOf('payment_transaction', row),
      }))
      const transactions = newestFirst(rows).slice(0, max)
      return { transactions, reached: transactions[max - 1]?.position ?? from }
    },
    transactionsOf: async (reference, filter, max) =>
      withReference(disk(), reference, filter)
        .slice(0, max)
        .map((row) => copyOf('payment_transaction', row)),
    positionsOf: async (reference, filter) => withReference(disk(), reference, filter).map(positioned),
    leaseJobs: (kind, queue, atMs, max) => tableReads.dueJobs(kind, queue, atMs, max),
    dueQueues: async (queues, atMs) =>
      queues.filter(([kind, queue]) => reads.countDue.inMemory(disk(), kind, queue, atMs, 1) > 0),
  }
}

function treeOfRoot(disk: MemoryDisk, root = ''): StoredTree | undefined {
  const tree = treeRowOf(disk, root)
  const rows = disk.transactionsOf.get(root)
  if (!tree || !rows) return undefined
  const sortedById = rows.toSorted(
    (a, b) => Number(a.id !== root) - Number(b.id !== root) || compareCodeUnits(a.id, b.id),
  )
  return { ...tree, transactions: sortedById.map((row) => copyOf('payment_transaction', row)) }
}

/** The transactions of a filter, in no order. */
const matching = (disk: MemoryDisk, { merchant, channel, types, methods }: TransactionFilter): TransactionRow[] =>
  storedTransactions(disk)
    .filter((row) => row.merchant === merchant && row.channel === (channel ?? row.channel))
    .filter(({ type }) => types?.includes(type) ?? true)
    .filter(({ method }) => methods?.includes(method ?? '') ?? true)

const between = (disk: MemoryDisk, filter: TransactionFilter, before: string, from: string): TransactionRow[] =>
  matching(disk, filter).filter((row) => positionOf(row) < before && positionOf(row) >= from)

/** All transactions with a reference, in no order. Only the SQL dialects apply the bound `limits.referenceRows`. */
const withReference = (disk: MemoryDisk, reference: string, filter: TransactionFilter): TransactionRow[] =>
  matching(disk, filter).filter((row) => row.merchant_transaction_id === reference)
