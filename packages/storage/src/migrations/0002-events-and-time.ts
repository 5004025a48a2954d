import { type SqlBool, sql } from 'kysely'
import { createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

export const eventsAndTime: Migration = {
  name: 'events-and-time',
  reason: 'notifications of merchants, and jobs with a due time',
  steps: (target) => [
    createTable(target, {
      name: 'job',
      layout: 'clustered',
      key: ['id', 'merchant'],
      columns: {
        id: 'text',
        merchant: 'text',
        kind: 'text',
        lane: 'text',
        subject_id: 'text',
        due_at_ms: 'integer',
        attempts: 'integer',
        parked_at_ms: 'integer?',
        done_at_ms: 'integer?',
        last_error: 'text?',
        held_until_ms: 'integer?',
        created_at_ms: 'integer',
      },
    }),
    // Due jobs are queried many times a second, so this index contains only waiting jobs.
    target.schema
      .createIndex('job_due')
      .on('job')
      .columns(['kind', 'lane', 'due_at_ms', 'id'])
      .where(sql<SqlBool>`parked_at_ms IS NULL AND done_at_ms IS NULL`),
    // This index contains the kind, for counts by kind.
    target.schema
      .createIndex('job_parked')
      .on('job')
      .columns(['id', 'kind'])
      .where(sql<SqlBool>`parked_at_ms IS NOT NULL`),
    target.schema.createIndex('job_lane').on('job').columns(['kind', 'lane', 'id']),
    createTable(target, {
      name: 'event',
      layout: 'heap',
      key: ['id', 'merchant'],
      columns: {
        id: 'text',
        merchant: 'text',
        entity_id: 'text',
        root_id: 'text',
        type: 'text',
        action: 'text?',
        payload: 'text',
        created_at_ms: 'integer',
      },
    }),
    createTable(target, {
      name: 'delivery_attempt',
      layout: 'clustered',
      key: ['delivery_id', 'number', 'merchant'],
      columns: {
        delivery_id: 'text',
        merchant: 'text',
        number: 'integer',
        started_at_ms: 'integer',
        duration_ms: 'integer',
        http_status: 'integer?',
        error: 'text?',
        answer: 'text',
      },
    }),
    createTable(target, {
      name: 'webhook',
      layout: 'heap',
      key: ['id'],
      columns: {
        id: 'text',
        merchant: 'text',
        entity_id: 'text',
        url: 'text',
        settings: 'text',
        state: 'text',
        created_at_ms: 'integer',
        changed_at_ms: 'integer',
        deleted_at_ms: 'integer?',
      },
    }),
    createTable(target, {
      name: 'webhook_key',
      layout: 'clustered',
      key: ['id'],
      columns: {
        id: 'text',
        merchant: 'text',
        webhook_id: 'text',
        sealed: 'bytes',
        wrapped_key: 'bytes',
        key_id: 'text',
        created_at_ms: 'integer',
        starts_at_ms: 'integer?',
        ends_at_ms: 'integer?',
      },
    }),
    createTable(target, {
      name: 'schedule',
      layout: 'heap',
      key: ['id', 'merchant'],
      columns: {
        id: 'text',
        merchant: 'text',
        channel: 'text',
        registration_id: 'text',
        chain_id: 'text',
        plan: 'text',
        active: 'integer',
        last_run_at_ms: 'integer?',
        attempts: 'integer',
        attempted_at_ms: 'integer?',
        ends_at_ms: 'integer?',
        descheduled_at_ms: 'integer?',
        ended: 'text?',
        created_at_ms: 'integer',
      },
    }),
    target.schema.createIndex('schedule_registration').on('schedule').columns(['registration_id', 'id']),
    target.schema.createIndex('schedule_chain').on('schedule').columns(['chain_id', 'id']),
    ...['webhook', 'webhook_key'].flatMap(target.watch),
  ],
}
