import { createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

export const connectorsAndRoutes: Migration = {
  name: 'connectors-and-routes',
  reason: 'operators set up the accounts at acquirers and the routes of payments to them while the gateway runs',
  steps: (target) => [
    createTable(target, {
      name: 'connector',
      layout: 'heap',
      key: ['id'],
      columns: {
        id: 'text',
        kind: 'text',
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
      name: 'route_list',
      layout: 'heap',
      key: ['entity_id'],
      columns: { entity_id: 'text', routes: 'text?', changed_at_ms: 'integer' },
    }),
    ...['connector', 'route_list'].flatMap(target.watch),
  ],
}
