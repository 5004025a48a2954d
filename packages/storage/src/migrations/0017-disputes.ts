import { sql, type SqlBool } from 'kysely'
import { createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

export const disputes: Migration = {
  name: 'disputes',
  reason: 'disputed transactions have a stage and a day by which they are answered, and evidence, which is sealed',
  steps: (target) => [
    createTable(target, {
      name: 'dispute',
      layout: 'heap',
      key: ['id'],
      columns: {
        id: 'text',
        merchant: 'text',
        channel: 'text',
        stage: 'text',
        reason: 'text?',
        received_on: 'text',
        due_on: 'text?',
        warned_at_ms: 'integer?',
        history: 'text',
        version: 'integer',
        created_at_ms: 'integer',
        changed_at_ms: 'integer',
      },
    }),
    target.schema.createIndex('dispute_time').on('dispute').columns(['created_at_ms', 'id']),
    // Disputes that wait for an answer: few.
    target.schema
      .createIndex('dispute_due')
      .on('dispute')
      .columns(['due_on', 'id'])
      .where(sql<SqlBool>`due_on IS NOT NULL`),
    createTable(target, {
      name: 'dispute_evidence',
      layout: 'heap',
      key: ['id'],
      columns: {
        id: 'text',
        dispute_id: 'text',
        kind: 'text',
        name: 'text',
        content_type: 'text',
        size_bytes: 'integer',
        digest: 'text',
        parts: 'integer',
        wrapped_key: 'bytes',
        key_id: 'text',
        stored: 'integer',
        sent_at_ms: 'integer?',
        created_at_ms: 'integer',
      },
    }),
    target.schema.createIndex('dispute_evidence_dispute').on('dispute_evidence').columns(['dispute_id', 'id']),
    createTable(target, {
      name: 'dispute_evidence_part',
      layout: 'heap',
      key: ['evidence_id', 'number'],
      columns: { evidence_id: 'text', number: 'integer', bytes: 'bytes' },
    }),
  ],
}
