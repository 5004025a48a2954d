import { createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

export const shoppers: Migration = {
  name: 'shoppers',
  reason: 'payments that shoppers complete, in a page of the merchant or of a bank',
  steps: (on) => [
    createTable(on, {
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
    // Their ids are random: what is old is found by its time alone.
    on.schema.createIndex('checkout_age').on('checkout').column('expires_at_ms'),
    createTable(on, {
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
    on.schema.createIndex('visit_age').on('visit').column('forgotten_at_ms'),
  ],
}
