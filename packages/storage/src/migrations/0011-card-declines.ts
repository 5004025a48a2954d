import { createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

export const cardDeclines: Migration = {
  name: 'card-declines',
  reason: 'the networks limit further attempts with a card after its issuer has declined',
  steps: (target) => [
    createTable(target, {
      name: 'card_declines',
      layout: 'heap',
      key: ['id', 'merchant'],
      columns: {
        id: 'text',
        merchant: 'text',
        declines: 'text',
        changed_at_ms: 'integer',
        expires_at_ms: 'integer',
      },
    }),
    // Processes read the rows that others have changed, and the retention sweep those that have expired.
    target.schema.createIndex('card_declines_changes').on('card_declines').columns(['changed_at_ms', 'id']),
    target.schema.createIndex('card_declines_age').on('card_declines').column('expires_at_ms'),
  ],
}
