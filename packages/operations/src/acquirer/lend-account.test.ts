import { Secret } from '@tollgate/contract'
import { expect, test } from 'vitest'
import { accountRow } from '@tollgate/gateway/testing'
import { lendAccount } from './lend-account.ts'

const NUMBER = '4200000000000000'
const sealed = { sealed: new Uint8Array([1]), wrapped_key: new Uint8Array([2]), key_id: 'k' }

/** A vault that knows one sealed number, of one record. */
const vault = {
  unseal(_: unknown, { id, merchant }: { readonly id: string; readonly merchant: string }): Secret {
    expect([id, merchant]).toEqual(['a', 'm'])
    return new Secret(Uint8Array.from(Buffer.from(NUMBER)))
  },
}

test('the account of a stored payment has its number, its expiry date and no cvv', () => {
  const row = accountRow({ ...sealed, holder: 'Jane Jones', expiry_month: '05', expiry_year: '2034' })
  const account = lendAccount({ vault }, row)
  expect(account?.number?.use((bytes) => Buffer.from(bytes).toString())).toBe(NUMBER)
  expect({ ...account, number: undefined }).toEqual({
    kind: 'card',
    number: undefined,
    holder: 'Jane Jones',
    expiryMonth: '05',
    expiryYear: '2034',
    cvv: undefined,
  })
})

test.each([
  ['there is no account', undefined],
  ['its number was erased', accountRow()],
])('no account is lent if %s', (_, row) => {
  expect(lendAccount({ vault }, row)).toBeUndefined()
})
