import type { ParameterName } from '@tollgate/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { secretOf } from '../iso8583/requests/testing/requests.ts'
import { encodeForm } from './encode-form.ts'

const textOf = (body: Uint8Array): string => Buffer.from(body).toString('latin1')

test('each form is decoded to its pairs, secrets or not', () => {
  const name = fc.constantFrom<ParameterName[]>('card.holder', 'cart.items[3].name', 'customParameters[note]')
  const pair = fc.tuple(name, fc.string({ unit: 'grapheme' }), fc.boolean())
  fc.assert(
    fc.property(fc.array(pair, { maxLength: 8 }), (pairs) => {
      const body = encodeForm(pairs.map(([key, value, isSecret]) => [key, isSecret ? secretOf(value) : value]))
      expect([...new URLSearchParams(textOf(body))]).toEqual(pairs.map(([key, value]) => [key, value]))
      expect(textOf(body)).toMatch(/^[\x21-\x7e]*$/)
    }),
  )
})

test('a surrogate without its other half is replaced, so that the form stays UTF-8', () => {
  expect(textOf(encodeForm([['card.holder', 'a\ud800b']]))).toBe('card.holder=a%EF%BF%BDb')
})

test('a secret stays unchanged, and is not in the text of other pairs', () => {
  const secret = secretOf('+/= &')
  expect(textOf(encodeForm([['tokenAccount.cryptogram', secret]]))).toBe('tokenAccount.cryptogram=%2B%2F%3D%20%26')
  expect(secret.use((bytes) => Buffer.from(bytes).toString())).toBe('+/= &')
})
