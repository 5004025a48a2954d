import { InvariantError } from '@tollgate/contract'
import { StorageError } from '@tollgate/storage'
import { VaultError } from '@tollgate/vault'
import { expect, test } from 'vitest'
import { errorFields } from './error-fields.ts'

const NUMBER = '4200000000000000'
const THIS_FILE = /^packages\/operations\/(src|dist)\/error-fields\.test\.[jt]s:\d+:\d+( |$)/
const id = '0195'.repeat(8)

test.each([
  [new InvariantError('payment has no type', id), { message: 'payment has no type', recordId: id }],
  [new InvariantError('payment has no type'), { message: 'payment has no type' }],
  [new InvariantError('payment has no type', NUMBER), { message: 'payment has no type' }],
  [new StorageError('full', `no space for ${NUMBER}`), { kind: 'full' }],
  [new VaultError('argument', `not ${NUMBER}`), { fault: 'argument' }],
  [new TypeError(`${NUMBER} is no number`), {}],
])('the fields of %s are its class, its stack frames and its constant fields', (error, constants) => {
  expect(errorFields(error)).toEqual({ error: error.name, ...constants, stack: expect.stringMatching(THIS_FILE) })
})

test.each<[kind: string, error: unknown]>([
  ['text', NUMBER],
  ['object', { message: NUMBER, stack: `Error\n    at packages/${NUMBER}.js:1:1` }],
  ['undefined', undefined],
])('only the type of a thrown value that is no error is logged: %s', (_kind, thrown) => {
  expect(errorFields(thrown)).toEqual({ error: typeof thrown })
})

const forged = `no card\n    at ${NUMBER} (packages/${NUMBER}.js:1:1)\n    at packages/${NUMBER}.js:1:1`

test('lines of a message that look like stack frames are not logged', () => {
  const { stack, ...rest } = errorFields(new RangeError(forged))
  expect(rest).toEqual({ error: 'RangeError' })
  expect(stack).toMatch(THIS_FILE)
  expect(stack).not.toContain(NUMBER)
})

test.each([
  ['is missing from the stack', 'changed since', /^$/],
  ['is a part of the message in the stack', 'no card', THIS_FILE],
  ['is empty', '', THIS_FILE],
])('no card number is logged if the message was changed and %s', (_kind, message, stack) => {
  const error = new RangeError(forged)
  expect(error.stack).toContain(forged)
  error.message = message
  expect(errorFields(error)).toEqual({ error: 'RangeError', stack: expect.stringMatching(stack) })
})

test('properties of an error are not logged', () => {
  const cause = new Error(NUMBER)
  const error = Object.assign(new Error(NUMBER, { cause }), {
    name: NUMBER,
    code: NUMBER,
    number: NUMBER,
    kind: NUMBER,
  })
  expect(Object.keys(errorFields(error))).toEqual(['error', 'stack'])
  expect(JSON.stringify(errorFields(error))).not.toContain(NUMBER)
})
