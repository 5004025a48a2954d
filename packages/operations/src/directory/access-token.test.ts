import { Secret } from '@tollgate/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { accessTokenOf } from './access-token.ts'
import { sandboxIds, sandboxToken } from './sandbox.ts'

const tokenOf = (userId: string, password: string): string =>
  accessTokenOf(userId, new Secret(Buffer.from(password))).use((bytes) => Buffer.from(bytes).toString())

test('the token of the sandbox is derived from its user and password', () => {
  expect(tokenOf(sandboxIds.user, 'sandbox')).toBe(sandboxToken)
})

test('a token is the base64 of `userId|password`', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (userId, password) => {
      expect(tokenOf(userId, password)).toBe(Buffer.from(`${userId}|${password}`).toString('base64'))
    }),
  )
})
