import { parametersOf } from '@tollgate/contract'
import { describe, expect, it } from 'vitest'
import { type AccountTraits, countriesOf, traitsOf } from './traits.ts'

const noAccount: AccountTraits = { fingerprints: [], brand: undefined, bin: undefined, country: undefined }
const traits = (values: Readonly<Record<string, string>>, account: Partial<AccountTraits> = {}) =>
  Object.fromEntries(traitsOf(parametersOf(values).values, { ...noAccount, ...account }))

describe('the traits of a payment include', () => {
  it.each<[name: string, values: Record<string, string>, account: Partial<AccountTraits>, expected: object]>([
    ['nothing without parameters', {}, {}, {}],
    ['its card', {}, { fingerprints: ['AB', 'cd'], bin: '420000' }, { fingerprint: ['ab', 'cd'], bin: ['420000'] }],
    [
      'an e-mail address and its domain, in lower case',
      { 'customer.email': 'Jane@"@"@Jones.Example' },
      {},
      { 'customer.email': ['jane@"@"@jones.example'], emailDomain: ['jones.example'] },
    ],
    ['an IP address', { 'customer.ip': '2001:DB8::1' }, {}, { 'customer.ip': ['2001:db8::1'] }],
    [
      'the merchant’s customer id, with its case',
      { 'customer.merchantCustomerId': 'Jane' },
      {},
      { 'customer.merchantCustomerId': ['Jane'] },
    ],
    [
      'its valid countries, except the merchant’s',
      { 'billing.country': 'DE', 'shipping.country': 'fr', 'merchant.country': 'NL' },
      { country: 'ZZ' },
      { country: ['de', 'fr'] },
    ],
    ['its brand', {}, { brand: 'VISA' }, { 'risk.brand': ['VISA'] }],
    ['a brand that was sent for the check', { 'risk.brand': 'X' }, { brand: 'VISA' }, { 'risk.brand': ['X'] }],
    [
      'the parameters risk.*',
      {
        'risk.channelId': 'c',
        'risk.serviceId': 's',
        'risk.merchantWebsite': 'w',
        'risk.accountToken': 't',
        'risk.parameters[tier]': 'gold',
      },
      {},
      {
        'risk.channelId': ['c'],
        'risk.serviceId': ['s'],
        'risk.merchantWebsite': ['w'],
        'risk.accountToken': ['t'],
        'risk.parameters[tier]': ['gold'],
      },
    ],
    [
      'no mandate and no due date',
      {
        'bankAccount.mandate.id': 'M',
        'bankAccount.mandate.dateOfSignature': '2026-01-01',
        transactionDueDate: '2026-06-01',
      },
      {},
      {},
    ],
  ])('%s', (_name, values, account, expected) => {
    expect(traits(values, account)).toEqual(expected)
  })
})

it('the countries of a payment are returned by source, in upper case', () => {
  const { values } = parametersOf({ 'billing.country': 'DE', 'shipping.country': 'fr', 'merchant.country': 'nl' })
  expect(countriesOf(values, { ...noAccount, country: 'be' })).toEqual({
    billing: 'DE',
    shipping: 'FR',
    account: 'BE',
    merchant: 'NL',
  })
})
