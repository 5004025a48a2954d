import type { AccountRow } from '@tollgate/storage'

/** The row of a card without optional properties, with changes. */
export const accountRow = (changes: Partial<AccountRow> = {}): AccountRow => ({
  id: 'a',
  merchant: 'm',
  kind: 'card',
  brand: null,
  bin: null,
  last4: null,
  holder: null,
  expiry_month: null,
  expiry_year: null,
  details: '{}',
  fingerprint: null,
  fingerprint_key_id: null,
  sealed: null,
  wrapped_key: null,
  key_id: null,
  created_at_ms: 0,
  ...changes,
})
