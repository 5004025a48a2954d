import type { Migration } from './migration.ts'

export const timeInOrder: Migration = {
  name: 'time-in-order',
  reason: 'queries by time read only the entries of an index whose rows are visible to all transactions',
  steps: (target) => target.tuneForInserts('payment_transaction'),
}
