import type { Migration } from './migration.ts'

export const clearingFiles: Migration = {
  name: 'clearing-files',
  reason: 'the batch of an acquirer to which files present captures has a file',
  steps: ({ schema, types }) => [schema.alterTable('clearing_batch').addColumn('file', types.text)],
}
