import type { PulledFileRow, SftpAccountRow, SftpDeliveryPartRow, SftpDeliveryRow } from '../schema.ts'

// Complete rows of deliveries to SFTP servers and of pulled files for tests, like those of sample-rows.ts.

export const sftpAccount = (id: string, changes: Partial<SftpAccountRow> = {}): SftpAccountRow => ({
  id,
  entity_id: null,
  purpose: 'settlementFiles',
  settings: '{}',
  sealed: null,
  wrapped_key: null,
  key_id: null,
  credentials_at_ms: null,
  state: 'enabled',
  created_at_ms: 1_767_225_600_000,
  changed_at_ms: 1_767_225_600_000,
  deleted_at_ms: null,
  ...changes,
})

export const sftpDelivery = (id: string, changes: Partial<SftpDeliveryRow> = {}): SftpDeliveryRow => ({
  id,
  account_id: 'a1',
  day: '2026-01-01',
  file_name: 'record.csv',
  state: 'composing',
  rows: 0,
  parts: 0,
  size_bytes: 0,
  job_id: null,
  created_at_ms: 1_767_225_600_000,
  changed_at_ms: 1_767_225_600_000,
  delivered_at_ms: null,
  ...changes,
})

export const sftpDeliveryPart = (number: number, changes: Partial<SftpDeliveryPartRow> = {}): SftpDeliveryPartRow => ({
  delivery_id: 'd1',
  number,
  start_bytes: 10 * (number - 1),
  bytes: Uint8Array.of(1, 2),
  ...changes,
})

export const pulledFile = (name: string, changes: Partial<PulledFileRow> = {}): PulledFileRow => ({
  account_id: 'a1',
  name,
  size_bytes: 7,
  modified_at_ms: 1_767_225_600_000,
  outcome: 'received',
  file_id: null,
  pulled_at_ms: 1_767_225_600_000,
  ...changes,
})
