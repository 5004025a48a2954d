import { type SqlBool, sql } from 'kysely'
import type { Migration } from './migration.ts'

export const linesAndDeclines: Migration = {
  name: 'lines-and-declines',
  reason: 'webhooks get the events of one payment in their order; a checkout ends after a number of declined attempts',
  steps: (target) => [
    target.schema.alterTable('job').addColumn('line', target.types.text),
    target.schema.alterTable('job').addColumn('line_place', target.types.integer),
    target.schema.alterTable('checkout').addColumn('declines', target.types.integer),
  ],
  indexes: (schema) => [
    schema
      .createIndex('job_line')
      .on('job')
      .columns(['lane', 'line', 'line_place', 'id'])
      .where(sql<SqlBool>`line IS NOT NULL AND parked_at_ms IS NULL AND done_at_ms IS NULL`),
  ],
}
