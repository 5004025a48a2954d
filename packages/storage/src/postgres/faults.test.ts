import { DatabaseError } from 'pg'
import { expect, test } from 'vitest'
import { StorageError } from '../storage-error.ts'
import { faultEffectOf, definiteErrorOf, storageErrorOf } from './faults.ts'
import { IS_BEING_PARTITIONED, MONTH_IS_MISSING } from './partitions.ts'

const fromServer = (code: string, constraint?: string) =>
  Object.assign(new DatabaseError('message of PostgreSQL', 0, 'error'), { code, constraint })

test.each([
  ['connection_failure', '08006', 'unknown', 'look-up'],
  ['admin_shutdown', '57P01', 'unknown', 'look-up'],
  ['crash_shutdown', '57P02', 'unknown', 'look-up'],
  ['cannot_connect_now', '57P03', 'unknown', 'look-up'],
  ['statement_completion_unknown', '40003', 'unknown', 'look-up'],
  ['serialization_failure', '40001', 'unavailable', 'retry'],
  ['deadlock_detected', '40P01', 'unavailable', 'retry'],
  ['lock_not_available', '55P03', 'unavailable', 'retry'],
  ['query_canceled', '57014', 'unavailable', 'refuse'],
  ['too_many_connections', '53300', 'unavailable', 'refuse'],
  ['out_of_memory', '53200', 'unavailable', 'refuse'],
  ['disk_full', '53100', 'full', 'split'],
  ['read_only_sql_transaction', '25006', 'unavailable', 'reconnect'],
  ['unique_violation', '23505', 'constraint', 'split'],
  ['numeric_value_out_of_range', '22003', 'constraint', 'split'],
  ['undefined_table', '42P01', 'unavailable', 'refuse'],
  ['insufficient_privilege', '42501', 'unavailable', 'refuse'],
  ['io_error', '58030', 'unavailable', 'refuse'],
  ['data_corrupted', 'XX001', 'unavailable', 'refuse'],
  ['a class of a later version', 'ZZ000', 'unavailable', 'refuse'],
])('the fault %s (%s) is an error of kind %s, and its effect is: %s', (_, code, kind, effect) => {
  const error = fromServer(code)
  const message = code === '22003' ? 'a value cannot be stored (22003)' : 'message of PostgreSQL'
  expect(storageErrorOf(error)).toMatchObject({ name: 'StorageError', kind, message })
  expect(faultEffectOf(error)).toBe(effect)
})

test.each(['tree_pkey', 'commit_reply_race'])(
  'a batch that violates %s is repeated, because it has lost a race',
  (constraint) => {
    expect(faultEffectOf(fromServer('23505', constraint))).toBe('retry')
  },
)

test('an error that the server did not send is an error of the connection', () => {
  const error = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
  expect(faultEffectOf(error)).toBe('look-up')
  expect(storageErrorOf(error)).toMatchObject({ kind: 'unknown', message: 'read ECONNRESET' })
  expect(definiteErrorOf(error)).toMatchObject({ kind: 'unavailable' })
})

test('the message of an error contains no values', () => {
  const error = Object.assign(fromServer('23505'), { detail: 'Key (id)=(4200000000000000) already exists.' })
  expect(JSON.stringify(storageErrorOf(error))).not.toContain('4200')
  expect(storageErrorOf(error).message).not.toContain('4200')
})

test('a StorageError is returned unchanged', () => {
  const error = new StorageError('incompatible', 'too new')
  expect(storageErrorOf(error)).toBe(error)
})

test.each([
  [MONTH_IS_MISSING, 'make-months'],
  [IS_BEING_PARTITIONED, 'split'],
])('after a violation of %s the effect is %s, and a failure is temporary', (constraint, effect) => {
  const error = fromServer('23514', constraint)
  expect(faultEffectOf(error)).toBe(effect)
  expect(storageErrorOf(error).kind).toBe('unavailable')
})
