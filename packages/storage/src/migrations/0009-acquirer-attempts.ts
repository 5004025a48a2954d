import { createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

export const acquirerAttempts: Migration = {
  name: 'acquirer-attempts',
  reason: 'messages to acquirers are stored before they are sent, and their trace numbers are unique for a terminal',
  steps: (target) => [
    createTable(target, {
      name: 'acquirer_attempt',
      layout: 'heap',
      key: ['transaction_id', 'id', 'merchant'],
      columns: {
        transaction_id: 'text',
        id: 'text',
        merchant: 'text',
        kind: 'text',
        connector: 'text',
        sent_as: 'text',
        outcome: 'text?',
        created_at_ms: 'integer',
      },
    }),
    createTable(target, {
      name: 'terminal',
      layout: 'heap',
      key: ['id'],
      columns: { id: 'text', held_by: 'text?', held_until_ms: 'integer', day: 'integer', next_trace: 'integer' },
    }),
  ],
}
