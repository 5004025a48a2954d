import { sql, type SqlBool } from 'kysely'
import { createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

export const ledger: Migration = {
  name: 'ledger',
  reason: 'the ledger and the daily sums are made from the transactions, each once, after their commit',
  steps: (target) => [
    createTable(target, {
      name: 'transaction_feed',
      layout: 'heap',
      key: ['id'],
      columns: { id: 'text', closed_before: 'text', read_before: 'text' },
    }),
    createTable(target, {
      name: 'late_transaction',
      layout: 'clustered',
      key: ['id', 'status', 'merchant'],
      columns: { id: 'text', status: 'text', merchant: 'text' },
    }),
    createTable(target, {
      name: 'posting',
      layout: 'clustered',
      key: ['transaction_id', 'kind', 'merchant'],
      columns: {
        transaction_id: 'text',
        kind: 'text',
        merchant: 'text',
        acquirer: 'text',
        currency: 'text',
        day: 'integer',
        amount_minor: 'integer',
        fee_minor: 'integer',
        reference: 'text?',
      },
    }),
    // Rows of settlement files name transactions by their references.
    target.schema
      .createIndex('posting_reference')
      .on('posting')
      .column('reference')
      .where(sql<SqlBool>`reference IS NOT NULL`),
    // The journal of a merchant is read in the order of days. An id is no substitute: late entries are of a later day.
    // The entries of one day are sorted when they are read: an index of their ids costs PostgreSQL 150 bytes an entry.
    target.schema.createIndex('posting_day').on('posting').columns(['merchant', 'day']),
    createTable(target, {
      name: 'ledger_day',
      layout: 'clustered',
      key: ['merchant', 'day', 'acquirer', 'currency', 'kind'],
      columns: {
        merchant: 'text',
        day: 'integer',
        acquirer: 'text',
        currency: 'text',
        kind: 'text',
        postings: 'integer',
        amount_minor: 'integer',
        fee_minor: 'integer',
      },
    }),
    createTable(target, {
      name: 'transaction_day',
      layout: 'clustered',
      key: ['merchant', 'day', 'channel', 'type', 'method', 'brand', 'currency', 'acquirer', 'country', 'outcome'],
      columns: {
        merchant: 'text',
        day: 'integer',
        channel: 'text',
        type: 'text',
        method: 'text',
        brand: 'text',
        currency: 'text',
        acquirer: 'text',
        country: 'text',
        outcome: 'text',
        transactions: 'integer',
        amount_minor: 'integer',
      },
    }),
    // Batches are made from the days of an acquirer.
    target.schema.createIndex('ledger_day_acquirer').on('ledger_day').columns(['acquirer', 'day']),
    createTable(target, {
      name: 'clearing_batch',
      layout: 'heap',
      key: ['id'],
      columns: {
        id: 'text',
        acquirer: 'text',
        day: 'integer',
        state: 'text',
        totals: 'text',
        attempts: 'integer',
        changed_at_ms: 'integer',
      },
    }),
    target.schema.createIndex('clearing_batch_acquirer').on('clearing_batch').columns(['acquirer', 'day']),
    target.schema.alterTable('acquirer_attempt').addColumn('settlement_day', target.types.integer),
    createTable(target, {
      name: 'fee_plan',
      layout: 'heap',
      key: ['entity_id', 'starts_at_ms'],
      columns: { entity_id: 'text', starts_at_ms: 'integer', plan: 'text?', created_at_ms: 'integer' },
    }),
  ],
}
