import { sql, type SqlBool } from 'kysely'
import { createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

export const sftp: Migration = {
  name: 'sftp',
  reason:
    'files of records are delivered to SFTP servers, each row in one file, and settlement files are pulled from them',
  steps: (target) => [
    createTable(target, {
      name: 'sftp_account',
      layout: 'heap',
      key: ['id'],
      columns: {
        id: 'text',
        entity_id: 'text?',
        purpose: 'text',
        settings: 'text',
        sealed: 'bytes?',
        wrapped_key: 'bytes?',
        key_id: 'text?',
        credentials_at_ms: 'integer?',
        state: 'text',
        created_at_ms: 'integer',
        changed_at_ms: 'integer',
        deleted_at_ms: 'integer?',
      },
    }),
    createTable(target, {
      name: 'sftp_delivery',
      layout: 'heap',
      key: ['id'],
      columns: {
        id: 'text',
        account_id: 'text',
        day: 'text',
        file_name: 'text',
        state: 'text',
        rows: 'integer',
        parts: 'integer',
        size_bytes: 'integer',
        job_id: 'text?',
        created_at_ms: 'integer',
        changed_at_ms: 'integer',
        delivered_at_ms: 'integer?',
      },
    }),
    target.schema.createIndex('sftp_delivery_state').on('sftp_delivery').columns(['state', 'changed_at_ms', 'id']),
    target.schema.createIndex('sftp_delivery_account').on('sftp_delivery').columns(['account_id', 'id']),
    createTable(target, {
      name: 'sftp_delivery_part',
      layout: 'heap',
      key: ['delivery_id', 'number'],
      columns: { delivery_id: 'text', number: 'integer', start_bytes: 'integer', bytes: 'bytes' },
    }),
    createTable(target, {
      name: 'pulled_file',
      layout: 'heap',
      key: ['account_id', 'name'],
      columns: {
        account_id: 'text',
        name: 'text',
        size_bytes: 'integer',
        modified_at_ms: 'integer',
        outcome: 'text',
        file_id: 'text?',
        pulled_at_ms: 'integer',
      },
    }),
    target.schema.alterTable('settlement_row').addColumn('delivery_id', target.types.text),
    // Rows that are in no delivered file: a delivery reads those of a merchant, and marks them.
    target.schema
      .createIndex('settlement_row_undelivered')
      .on('settlement_row')
      .columns(['merchant', 'settled_on', 'file_id', 'number'])
      .where(sql<SqlBool>`delivery_id IS NULL`),
  ],
}
