import { createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

export const sftpKeys: Migration = {
  name: 'sftp-keys',
  reason: 'merchants log in to the SFTP server with public keys',
  steps: (target) => [
    createTable(target, {
      name: 'sftp_key',
      layout: 'heap',
      key: ['id'],
      columns: {
        id: 'text',
        entity_id: 'text',
        label: 'text',
        public_key: 'text',
        fingerprint: 'text',
        created_at_ms: 'integer',
        last_used_at_ms: 'integer?',
        revoked_at_ms: 'integer?',
      },
    }),
  ],
}
