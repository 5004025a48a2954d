import { expect, test } from 'vitest'
import { StorageError } from '../storage-error.ts'
import { faultEffectOf, storageErrorOf } from './faults.ts'

test.each([
  ['SQLITE_BUSY', 5, 'unavailable', 'refuse'],
  ['SQLITE_BUSY_SNAPSHOT', 517, 'unavailable', 'refuse'],
  ['SQLITE_LOCKED', 6, 'unavailable', 'refuse'],
  ['SQLITE_NOMEM', 7, 'unknown', 'stop'],
  ['SQLITE_READONLY', 8, 'unavailable', 'refuse'],
  ['SQLITE_IOERR_WRITE', 778, 'unknown', 'stop'],
  ['SQLITE_IOERR_FSYNC', 1034, 'unknown', 'stop'],
  ['SQLITE_IOERR_DIR_FSYNC', 1290, 'unknown', 'stop'],
  ['SQLITE_CORRUPT', 11, 'unknown', 'stop'],
  ['SQLITE_FULL', 13, 'full', 'split'],
  ['SQLITE_CANTOPEN', 14, 'unknown', 'stop'],
  ['SQLITE_CONSTRAINT_PRIMARYKEY', 1555, 'constraint', 'split'],
  ['SQLITE_TOOBIG', 18, 'constraint', 'split'],
  ['SQLITE_NOTADB', 26, 'unknown', 'stop'],
])('the fault %s (%s) is an error of kind %s, and its effect is: %s', (_, errcode, kind, effect) => {
  const error = Object.assign(new Error('message of SQLite'), { errcode })
  expect(storageErrorOf(error)).toMatchObject({ name: 'StorageError', kind, message: 'message of SQLite' })
  expect(faultEffectOf(error)).toBe(effect)
})

test('an error of the driver has the kind constraint and splits the batch', () => {
  const error = new TypeError('cannot be bound')
  expect(storageErrorOf(error).kind).toBe('constraint')
  expect(faultEffectOf(error)).toBe('split')
})

test('a StorageError is returned unchanged', () => {
  const error = new StorageError('incompatible', 'too new')
  expect(storageErrorOf(error)).toBe(error)
})
