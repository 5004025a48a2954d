import { sql, type SqlBool } from 'kysely'
import type { Migration } from './migration.ts'

export const statements: Migration = {
  name: 'statements',
  reason: 'the statements of a bank account follow each other without a gap',
  steps: ({ schema, types }) => [
    schema.alterTable('settlement_file').addColumn('statement', types.text),
    schema
      .createIndex('settlement_file_statement')
      .on('settlement_file')
      .column('statement')
      .where(sql<SqlBool>`statement IS NOT NULL`),
  ],
}
