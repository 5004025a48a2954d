import type { Migration } from './migration.ts'

export const records: Migration = {
  name: 'records',
  reason: 'the JSON of a transaction takes a third of the space',
  steps: (target) => [target.schema.alterTable('payment_transaction').addColumn('record', target.types.bytes)],
}
