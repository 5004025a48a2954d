import { createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

export const settlementReports: Migration = {
  name: 'settlement-reports',
  reason: 'reports of settlements are read from sums, and their pages from a snapshot that the first page fixes',
  steps: (target) => [
    target.schema.alterTable('settlement_row').addColumn('aggregation_id', target.types.text),
    target.schema.alterTable('settlement_row').addColumn('presented_at_ms', target.types.integer),
    // The records of a settlement, in the order of their transactions.
    target.schema
      .createIndex('settlement_row_aggregation')
      .on('settlement_row')
      .columns(['aggregation_id', 'presented_at_ms', 'file_id', 'number']),
    createTable(target, {
      name: 'settlement_sum',
      layout: 'clustered',
      key: [
        'merchant',
        'settled_on',
        'aggregation_id',
        'kind',
        'type',
        'cashflow',
        'outcome',
        'channel',
        'clearing_merchant_id',
        'settlement_id',
        'currency',
      ],
      columns: {
        merchant: 'text',
        settled_on: 'text',
        aggregation_id: 'text',
        kind: 'text',
        type: 'text',
        cashflow: 'text',
        outcome: 'text',
        channel: 'text',
        clearing_merchant_id: 'text',
        settlement_id: 'text',
        currency: 'text',
        records: 'integer',
        amount_minor: 'integer',
        fee_minor: 'integer',
        changes: 'integer',
      },
    }),
    // A report names a settlement by its id.
    target.schema.createIndex('settlement_sum_aggregation').on('settlement_sum').column('aggregation_id'),
    createTable(target, {
      name: 'report_snapshot',
      layout: 'heap',
      key: ['id'],
      columns: {
        id: 'text',
        content_id: 'text',
        pages: 'integer',
        changes: 'integer',
        created_at_ms: 'integer',
        expires_at_ms: 'integer',
      },
    }),
    createTable(target, {
      name: 'report_page',
      layout: 'heap',
      key: ['content_id', 'number'],
      columns: { content_id: 'text', number: 'integer', items: 'text', expires_at_ms: 'integer' },
    }),
    // The retention sweep erases snapshots that have expired.
    target.schema.createIndex('report_snapshot_age').on('report_snapshot').column('expires_at_ms'),
    target.schema.createIndex('report_page_age').on('report_page').column('expires_at_ms'),
  ],
}
