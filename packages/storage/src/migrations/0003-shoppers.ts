import { createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

export const shoppers: Migration = {
  name: 'shoppers',
  reason: 'payments that shoppers complete, in a page of the merchant or of a bank',
  steps: (target) => [
    createTable(target, {
      name: 'checkout',
      layout: 'heap',
      key: ['id', 'merchant'],
      columns: {
        id: 'text',
        merchant: 'text',
        entity_id: 'text',
        parameters: 'text',
        transaction_id: 'text?',
        submitted_at_ms: 'integer?',
        read_at_ms: 'integer?',
        created_at_ms: 'integer',
        expires_at_ms: 'integer',
      },
    }),
    // The ids are random, so old rows can be found only by their time.
    target.schema.createIndex('checkout_age').on('checkout').column('expires_at_ms'),
    createTable(target, {
      name: 'visit',
      layout: 'heap',
      key: ['id', 'merchant'],
      columns: {
        id: 'text',
        merchant: 'text',
        transaction_id: 'text',
        checkout_id: 'text?',
        kind: 'text',
        parameters: 'text',
        progress: 'text',
        created_at_ms: 'integer',
        expires_at_ms: 'integer',
        forgotten_at_ms: 'integer',
      },
    }),
    target.schema.createIndex('visit_age').on('visit').column('forgotten_at_ms'),
  ],
}
