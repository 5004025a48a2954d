import { type SqlBool, sql } from 'kysely'
import type { Migration } from './migration.ts'

export const linesAndDeclines: Migration = {
  name: 'lines-and-declines',
  reason: 'webhooks get the events of one payment in their order; a checkout ends after a number of declined attempts',
  steps: (on) => [
    on.schema.alterTable('job').addColumn('line', on.types.text),
    on.schema.alterTable('job').addColumn('line_place', on.types.integer),
    on.schema.alterTable('checkout').addColumn('declines', on.types.integer),
  ],
  indexes: (schema) => [
    schema
      .createIndex('job_line')
      .on('job')
      .columns(['lane', 'line', 'line_place', 'id'])
      .where(sql<SqlBool>`line IS NOT NULL AND parked_at_ms IS NULL AND done_at_ms IS NULL`),
  ],
}
