import type { Migration } from './migration.ts'

export const timeInOrder: Migration = {
  name: 'time-in-order',
  reason: 'queries by time look at entries of an index alone, as far as the server knows that all may see their rows',
  steps: (on) => on.grows('payment_transaction'),
}
