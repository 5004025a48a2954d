import { sql, type SqlBool } from 'kysely'
import { createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

export const payouts: Migration = {
  name: 'payouts',
  reason: 'funds become available on their value date, are paid out to merchants, and confirmed by bank entries',
  steps: (target) => [
    createTable(target, {
      name: 'merchant_terms',
      layout: 'heap',
      key: ['entity_id', 'starts_at_ms'],
      columns: {
        entity_id: 'text',
        starts_at_ms: 'integer',
        terms: 'text?',
        sealed: 'bytes?',
        wrapped_key: 'bytes?',
        key_id: 'text?',
        created_at_ms: 'integer',
      },
    }),
    createTable(target, {
      name: 'merchant_account',
      layout: 'heap',
      key: ['merchant'],
      columns: {
        merchant: 'text',
        available_to: 'integer',
        released_to: 'integer',
        paid_to: 'integer',
        changes: 'integer',
      },
    }),
    createTable(target, {
      name: 'payout',
      layout: 'heap',
      key: ['id'],
      columns: {
        id: 'text',
        merchant: 'text',
        currency: 'text',
        amount_minor: 'integer',
        state: 'text',
        origin: 'text',
        requested_minor: 'integer?',
        terms_entity_id: 'text',
        terms_starts_at_ms: 'integer',
        holder: 'text',
        last4: 'text',
        created_at_ms: 'integer',
        changed_at_ms: 'integer',
      },
    }),
    target.schema.createIndex('payout_time').on('payout').columns(['created_at_ms', 'id']),
    target.schema.createIndex('payout_merchant').on('payout').columns(['merchant', 'created_at_ms', 'id']),
    createTable(target, {
      name: 'bank_entry',
      layout: 'heap',
      key: ['id'],
      columns: {
        id: 'text',
        file_id: 'text',
        number: 'integer',
        account: 'text',
        booked_on: 'text',
        value_on: 'text?',
        amount_minor: 'integer',
        currency: 'text',
        direction: 'text',
        booking: 'text',
        reference: 'text?',
        end_to_end_id: 'text?',
        rows_minor: 'integer',
        state: 'text',
        reason: 'text',
        payout_id: 'text?',
        explanation: 'text?',
        changes: 'integer',
        created_at_ms: 'integer',
        changed_at_ms: 'integer',
      },
    }),
    target.schema.createIndex('bank_entry_state').on('bank_entry').columns(['state', 'booked_on', 'id']),
    target.schema.alterTable('settlement_file').addColumn('bank_entries_read', target.types.integer),
    target.schema.alterTable('settlement_file').addColumn('bank_entry_id', target.types.text),
    target.schema
      .createIndex('settlement_file_stated_id')
      .on('settlement_file')
      .column('file_id')
      .where(sql<SqlBool>`file_id IS NOT NULL`),
  ],
}
