import { transactionRow } from '@tollgate/gateway/testing'
import { expect, test } from 'vitest'
import type { AcquirerFacts } from './acquirer-facts.ts'
import { transactionDays } from './daily-sums.ts'

const facts: AcquirerFacts = { nameOf: () => 'external', dayOf: () => 1, dayAt: () => 1 }

const countryOf = (echo: object): string | undefined => {
  const row = transactionRow({ type: 'DB', status: 'ACK', echo: JSON.stringify(echo) })
  return transactionDays([row], facts)[0]?.country
}

test.each<readonly [name: string, echo: object, country: string]>([
  ['of the billing address', { billing: { city: 'Berlin', country: 'DE' } }, 'DE'],
  ['after texts with quotes and braces', { billing: { street1: '"country":"FR" {}', country: 'DE' } }, 'DE'],
  ['of a quoted address', { customParameters: { a: '"billing":{"country":"FR"}' }, billing: { country: 'DE' } }, 'DE'],
  ['of an address without a country', { billing: { city: 'Berlin' } }, ''],
  [
    'of the customer, not of the merchant',
    { merchant: { billing: { country: 'FR' } }, billing: { country: 'DE' } },
    'DE',
  ],
  ['of the merchant only', { merchant: { billing: { country: 'FR' } } }, ''],
  ['of another address', { shipping: { country: 'FR' } }, ''],
  [
    'of another address after an address without a country',
    { billing: { city: 'x' }, shipping: { country: 'FR' } },
    '',
  ],
  ['of no address', {}, ''],
])('the country %s', (_, echo, country) => {
  expect(countryOf(echo)).toBe(country)
})
