import type { RemovableTable, Schema, ChangeableTable, WritableTable } from './schema.ts'

/** How a column is stored; `?` may be null. An integer is a safe integer, bytes are a Uint8Array. */
export type ColumnType = 'text' | 'integer' | 'bytes' | 'text?' | 'integer?' | 'bytes?'

type Plain<V> = [V] extends [string] ? 'text' : [V] extends [number] ? 'integer' : 'bytes'
type TypeOf<V> = null extends V ? `${Plain<NonNullable<V>>}?` : Plain<V>

interface Table<Name extends keyof Schema> {
  readonly key: readonly (keyof Schema[Name] & string)[]
  /** add: a taken key breaks a constraint. replace: the row takes the place of the one with its key. */
  readonly write: 'add' | 'replace'
  /** In the order in which rows are flattened and bound. */
  readonly columns: { readonly [C in keyof Schema[Name]]: TypeOf<Schema[Name][C]> }
}

/**
 * Every table as storage writes it. The compiler holds it equal to the rows of schema.ts, and a test to the database.
 * Where a table has a merchant, its key starts with the id and ends with the merchant; a payment's transactions are
 * keyed by their root first, so that a tree is one range, and what is counted by its counter and time.
 */
export const tables: { readonly [T in keyof Schema]: Table<T> } = {
  installation: { key: ['name'], write: 'replace', columns: { name: 'text', value: 'text' } },
  entity: {
    key: ['id'],
    write: 'replace',
    columns: {
      id: 'text',
      merchant: 'text',
      parent_id: 'text?',
      kind: 'text',
      name: 'text',
      settings: 'text',
      created_at_ms: 'integer',
    },
  },
  risk_rules: {
    key: ['entity_id'],
    write: 'replace',
    columns: { entity_id: 'text', rules: 'text?', changed_at_ms: 'integer' },
  },
  access_token: {
    key: ['id'],
    write: 'replace',
    columns: {
      id: 'text',
      entity_id: 'text',
      user_id: 'text',
      hash: 'bytes',
      rights: 'text',
      created_at_ms: 'integer',
      expires_at_ms: 'integer?',
      revoked_at_ms: 'integer?',
    },
  },
  tree: { key: ['id', 'merchant'], write: 'add', columns: { id: 'text', merchant: 'text', version: 'integer' } },
  payment_transaction: {
    key: ['root_id', 'id', 'merchant'],
    write: 'add',
    columns: {
      root_id: 'text',
      id: 'text',
      merchant: 'text',
      channel: 'text',
      referenced_id: 'text?',
      type: 'text',
      status: 'text',
      amount_minor: 'integer?',
      currency: 'text?',
      brand: 'text?',
      method: 'text?',
      test_mode: 'text?',
      account_id: 'text?',
      registration_id: 'text?',
      network_transaction_id: 'text?',
      initial_transaction_id: 'text?',
      merchant_transaction_id: 'text?',
      result_code: 'text',
      facts: 'text',
      echo: 'text',
      outcome: 'text',
      created_at_ms: 'integer',
    },
  },
  account: {
    key: ['id', 'merchant'],
    write: 'replace',
    columns: {
      id: 'text',
      merchant: 'text',
      kind: 'text',
      brand: 'text?',
      bin: 'text?',
      last4: 'text?',
      holder: 'text?',
      expiry_month: 'text?',
      expiry_year: 'text?',
      details: 'text',
      fingerprint: 'bytes?',
      fingerprint_key_id: 'text?',
      sealed: 'bytes?',
      wrapped_key: 'bytes?',
      key_id: 'text?',
      created_at_ms: 'integer',
    },
  },
  registration: {
    key: ['id', 'merchant'],
    write: 'replace',
    columns: {
      id: 'text',
      merchant: 'text',
      channel: 'text',
      account_id: 'text',
      created_at_ms: 'integer',
      expires_at_ms: 'integer',
      extended_at_ms: 'integer?',
      verified_at_ms: 'integer?',
      initial_transaction_id: 'text?',
      agreements: 'text',
      deleted_at_ms: 'integer?',
    },
  },
  velocity: {
    key: ['counter', 'merchant', 'created_at_ms', 'id'],
    write: 'add',
    columns: {
      counter: 'text',
      merchant: 'text',
      created_at_ms: 'integer',
      id: 'text',
      amount_minor: 'integer',
      currency: 'text',
    },
  },
  idempotency_key: {
    key: ['id', 'merchant'],
    write: 'replace',
    columns: {
      id: 'text',
      merchant: 'text',
      fingerprint: 'text',
      http_status: 'integer',
      result_code: 'text',
      answer: 'text',
      created_at_ms: 'integer',
      expires_at_ms: 'integer',
    },
  },
  unique_key: {
    key: ['id', 'merchant'],
    write: 'replace',
    columns: {
      id: 'text',
      merchant: 'text',
      transaction_id: 'text',
      created_at_ms: 'integer',
      expires_at_ms: 'integer?',
    },
  },
  job: {
    key: ['id', 'merchant'],
    write: 'replace',
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
      line: 'text?',
      line_place: 'integer?',
    },
  },
  event: {
    key: ['id', 'merchant'],
    write: 'add',
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
  },
  delivery_attempt: {
    key: ['delivery_id', 'number', 'merchant'],
    write: 'add',
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
  },
  webhook: {
    key: ['id'],
    write: 'replace',
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
  },
  webhook_key: {
    key: ['id'],
    write: 'replace',
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
  },
  schedule: {
    key: ['id', 'merchant'],
    write: 'replace',
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
  },
  checkout: {
    key: ['id', 'merchant'],
    write: 'replace',
    columns: {
      id: 'text',
      merchant: 'text',
      entity_id: 'text',
      parameters: 'text',
      transaction_id: 'text?',
      submitted_at_ms: 'integer?',
      read_at_ms: 'integer?',
      created_at_ms: 'integer',
      expires_at_ms: 'integer',
      declines: 'integer?',
    },
  },
  visit: {
    key: ['id', 'merchant'],
    write: 'replace',
    columns: {
      id: 'text',
      merchant: 'text',
      transaction_id: 'text',
      checkout_id: 'text?',
      kind: 'text',
      parameters: 'text',
      progress: 'text',
      created_at_ms: 'integer',
      expires_at_ms: 'integer',
      forgotten_at_ms: 'integer',
    },
  },
}

const columnsByTable = new Map(Object.entries(tables).map(([name, { columns }]) => [name, Object.entries(columns)]))

/** The columns of a table as [name, type], in binding order. */
export function columnsOf(table: keyof Schema): readonly (readonly [string, ColumnType])[] {
  return columnsByTable.get(table) ?? []
}

/** The names of a table's columns, in the same order. */
export function columnNames<Name extends keyof Schema>(table: Name): readonly (keyof Schema[Name] & string)[] {
  const { columns } = tables[table]
  return Object.keys(columns).filter((name): name is keyof Schema[Name] & string => name in columns)
}

/** The same as SQL lists them. */
export const columnList = (table: keyof Schema, prefix = ''): string =>
  columnsOf(table)
    .map(([column]) => `${prefix}"${column}"`)
    .join(', ')

/** The tables that a unit's rows may name. */
export const writableTables: readonly WritableTable[] = Object.keys(tables).filter(isWritable)

function isWritable(name: string): name is WritableTable {
  return name !== 'tree' && name !== 'idempotency_key' && name !== 'unique_key'
}

/** The tables that a unit's swaps may name. */
export const changeableTables: readonly (ChangeableTable | RemovableTable)[] = [
  'payment_transaction',
  'idempotency_key',
  'unique_key',
  'account',
  'job',
  'event',
  'delivery_attempt',
  'webhook_key',
  'velocity',
  'schedule',
  'checkout',
  'visit',
  'entity',
  'access_token',
  'webhook',
]
