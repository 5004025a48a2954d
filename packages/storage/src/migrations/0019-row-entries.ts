import { sql, type SqlBool } from 'kysely'
import type { Migration } from './migration.ts'

export const rowEntries: Migration = {
  name: 'row-entries',
  reason: 'settled rows have entries of the ledger, and a collection that two messages of a bank state counts once',
  steps: ({ schema, types }) => [
    schema.alterTable('settlement_row').addColumn('acquirer', types.text),
    schema.alterTable('settlement_row').addColumn('booking', types.text),
    schema
      .createIndex('settlement_row_booking')
      .on('settlement_row')
      .column('booking')
      .where(sql<SqlBool>`booking IS NOT NULL`),
    // The parts of a broken upload belong to no file.
    schema.createIndex('settlement_file_content').on('settlement_file').column('content_id'),
  ],
}
