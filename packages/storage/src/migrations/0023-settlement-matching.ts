import { createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

export const settlementMatching: Migration = {
  name: 'settlement_matching',
  reason: 'units that match rows of settlement files change one version, instead of claiming each transaction',
  steps: (target) => [
    createTable(target, {
      name: 'settlement_matching',
      layout: 'heap',
      key: ['id'],
      columns: { id: 'text', changes: 'integer' },
    }),
  ],
}
