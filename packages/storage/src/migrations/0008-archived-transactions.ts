import type { Migration } from './migration.ts'

export const archivedTransactions: Migration = {
  name: 'archived-transactions',
  reason: 'a partition of old transactions moves to the archive as a whole, and its transactions are still found by id',
  // SQLite has no partitions.
  steps: (target) => target.onServer(steps),
}

// The table has the columns of the transactions at the time of the migration. Its partitions have their own indexes.
const steps = [
  `CREATE TABLE archived_payment_transaction (LIKE payment_transaction,
    CONSTRAINT archived_payment_transaction_pkey PRIMARY KEY (root_id, id, merchant)) PARTITION BY RANGE (root_id)`,
]
