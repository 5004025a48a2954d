import { sql, type SqlBool } from 'kysely'
import { createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

export const settlement: Migration = {
  name: 'settlement',
  reason: 'settlement files are stored as they arrive, read once, and their rows matched with transactions',
  steps: (target) => [
    createTable(target, {
      name: 'settlement_file',
      layout: 'heap',
      key: ['id'],
      columns: {
        id: 'text',
        digest: 'text',
        content_id: 'text',
        name: 'text',
        arrived_by: 'text',
        state: 'text',
        format: 'text?',
        institute: 'text?',
        file_id: 'text?',
        facts: 'text?',
        fault: 'text?',
        size_bytes: 'integer',
        rows: 'integer',
        rows_read: 'integer',
        created_at_ms: 'integer',
        changed_at_ms: 'integer',
      },
    }),
    target.schema.createIndex('settlement_file_state').on('settlement_file').columns(['state', 'created_at_ms', 'id']),
    target.schema.createIndex('settlement_file_time').on('settlement_file').columns(['created_at_ms', 'id']),
    target.schema.createIndex('settlement_file_name').on('settlement_file').columns(['institute', 'file_id']),
    createTable(target, {
      name: 'settlement_content',
      layout: 'heap',
      key: ['content_id', 'number'],
      columns: { content_id: 'text', number: 'integer', bytes: 'bytes' },
    }),
    createTable(target, {
      name: 'settlement_row',
      layout: 'heap',
      key: ['file_id', 'number'],
      columns: {
        file_id: 'text',
        number: 'integer',
        merchant: 'text',
        channel: 'text',
        kind: 'text',
        status: 'text',
        transaction_id: 'text?',
        candidates: 'text?',
        reason: 'text',
        settled_on: 'text',
        row: 'text',
        chargeback_id: 'text?',
        changed_at_ms: 'integer',
      },
    }),
    // A transaction is settled once; a chargeback and its reversal refer to it, too.
    target.schema
      .createIndex('settlement_row_transaction')
      .on('settlement_row')
      .column('transaction_id')
      .where(sql<SqlBool>`transaction_id IS NOT NULL`),
    // Rows that people have to examine: few.
    target.schema
      .createIndex('settlement_row_open')
      .on('settlement_row')
      .columns(['settled_on', 'file_id', 'number'])
      .where(sql<SqlBool>`status <> 'MATCHED'`),
    // Chargebacks that are not recorded yet.
    target.schema
      .createIndex('settlement_row_chargeback')
      .on('settlement_row')
      .columns(['file_id', 'number'])
      .where(sql<SqlBool>`chargeback_id IS NULL AND kind LIKE 'CHARGEBACK%' AND status = 'MATCHED'`),
    // Records and reports of a merchant, in the order of settlement.
    target.schema
      .createIndex('settlement_row_merchant')
      .on('settlement_row')
      .columns(['merchant', 'settled_on', 'file_id', 'number']),
  ],
}
