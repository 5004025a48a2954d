import { brands, Secret } from '@tollgate/contract'
import { describe, expect, it, test } from 'vitest'
import { type BankAccount, type BankAccountUse, checkBankAccount } from './bank-account.ts'

const secret = (text: string) => new Secret(new TextEncoder().encode(text))

const NOON = Date.UTC(2026, 4, 4, 12)
/** Its date is later than today everywhere on Earth. */
const FUTURE_MANDATE = { id: 'A', dateOfSignature: '2026-05-06' }
const MANDATE = { id: 'MANDATE-A', dateOfSignature: '2026-05-01' }

/** Checks a debit of a German account with these changes. */
function check(
  change: Partial<Omit<BankAccount, 'number'>> & { number?: string | null },
  use: Partial<BankAccountUse> = {},
) {
  const { number = 'DE89370400440532013000', ...more } = change
  return checkBankAccount(
    {
      number: number === null ? undefined : secret(number),
      holder: 'Jane Jones',
      bic: undefined,
      country: undefined,
      mandate: MANDATE,
      ...more,
    },
    { brand: 'DIRECTDEBIT_SEPA', type: 'DB', currency: 'EUR', dueDate: undefined, ...use },
    NOON,
  )
}

describe('a bank account is accepted', () => {
  it.each<[name: string, change: Parameters<typeof check>[0], use: Partial<BankAccountUse>, country: string]>([
    ['by its IBAN alone', {}, {}, 'DE'],
    ['in lower case', { number: 'de89370400440532013000', bic: 'cobadeffxxx', country: 'de' }, {}, 'DE'],
    ['in a territory, by its BIC', { number: 'FR1420041010050500013M02606', bic: 'SOGEGPGX' }, {}, 'FR'],
    ['in a territory, by its country', { number: 'GB29NWBK60161331926819', country: 'JE' }, {}, 'JE'],
    ['by a national number and a country', { number: '532013000', country: 'DE' }, {}, 'DE'],
    ['by a national number and a BIC', { number: '532013000', bic: 'COBADEFF' }, {}, 'DE'],
    ['of a brand outside SEPA', { number: '123', country: 'JO' }, { brand: 'CLIQ', currency: 'JOD' }, 'JO'],
    ['to be stored', { mandate: undefined }, { type: undefined, currency: undefined }, 'DE'],
    ['to be credited, without a mandate', { mandate: undefined }, { type: 'CD' }, 'DE'],
    ['on the day of its mandate', { mandate: { id: 'A', dateOfSignature: '2026-05-04' } }, {}, 'DE'],
    [
      'on the day of its mandate in the earliest time zone',
      { mandate: { id: 'A', dateOfSignature: '2026-05-05' } },
      {},
      'DE',
    ],
    ['for a debit due today', {}, { dueDate: '2026-05-04' }, 'DE'],
    ['for a debit due next year', {}, { dueDate: '2027-05-04' }, 'DE'],
    ['to be credited, with a due date in the past', {}, { type: 'CD', dueDate: '2020-01-01' }, 'DE'],
  ])('%s', (_name, change, use, country) => {
    expect(check(change, use)).toEqual({ kind: 'bankAccount', brand: use.brand ?? 'DIRECTDEBIT_SEPA', country })
  })
})

describe('a bank account is refused', () => {
  it.each<[name: string, code: string, change: Parameters<typeof check>[0], use?: Partial<BankAccountUse>]>([
    ['without a brand', '600.200.100', {}, { brand: undefined }],
    ['with an unknown brand', '600.200.100', {}, { brand: 'NONE' }],
    ['with a card brand', '600.200.200', {}, { brand: 'VISA' }],
    ['with a redirect brand', '600.200.200', {}, { brand: 'IDEAL' }],
    ['without a holder', '100.100.400', { holder: undefined }],
    ['without a number', '100.100.100', { number: null }],
    ['with an IBAN of an unknown country', '100.200.100', { number: 'XX89370400440532013000' }],
    ['with the IBAN of a country without IBANs', '100.200.100', { number: 'US89370400440532013000' }],
    ['with wrong check digits', '100.200.104', { number: 'DE88370400440532013000' }],
    ['with an IBAN that is too long', '100.200.104', { number: 'DE893704004405320130000' }],
    ['with a number that contains only zeros', '100.200.104', { number: '0000', country: 'DE' }],
    ['with a number that contains only letters', '100.200.104', { number: 'ACCOUNT', country: 'DE' }],
    ['with a malformed BIC', '100.200.103', { bic: '12345678' }],
    ['with a BIC of an unknown country', '100.200.103', { bic: 'DEUTXXFF' }],
    ['with a national number without a country', '100.200.100', { number: '532013000' }],
    ['with a national number without a country, outside SEPA', '100.200.100', { number: '5' }, { brand: 'CLIQ' }],
    ['with a country other than that of its IBAN', '100.200.100', { country: 'AT' }],
    ['with a bank outside the country of the account', '100.200.103', { bic: 'ABNANL2A' }],
    [
      'with a national number and a bank outside the country of the account',
      '100.200.103',
      { number: '5', country: 'DE', bic: 'ABNANL2A' },
    ],
    ['outside SEPA', '100.200.100', { number: 'BR1500000000000010932840814P2' }],
    ['outside SEPA, by a national number', '100.200.100', { number: '532013000', country: 'US' }],
    ['for a debit in a currency other than euro', '600.200.500', {}, { currency: 'USD' }],
    ['for a payout in a currency other than euro', '600.200.500', {}, { currency: 'USD', type: 'CD' }],
    ['without a mandate', '100.200.200', { mandate: undefined }],
    ['with a mandate without an id', '100.200.200', { mandate: { id: undefined, dateOfSignature: '2026-05-01' } }],
    ['with a mandate without a date', '100.500.302', { mandate: { id: 'A', dateOfSignature: undefined } }],
    ['with a mandate signed in the future', '100.500.302', { mandate: FUTURE_MANDATE }],
    [
      'to be stored, with a mandate signed in the future',
      '100.500.302',
      { mandate: FUTURE_MANDATE },
      { type: undefined },
    ],
    ['to be credited, with a mandate signed in the future', '100.500.302', { mandate: FUTURE_MANDATE }, { type: 'CD' }],
    ['for a debit due in the past', '100.500.301', {}, { dueDate: '2026-05-03' }],
  ])('%s, with the code %s', (_name, code, change, use) => {
    expect(check(change, use)).toMatchObject({ kind: 'refused', code })
  })

  it('for its number, rather than for its currency or its missing mandate', () => {
    const twoFaults = { number: 'DE88370400440532013000', mandate: undefined }
    expect(check(twoFaults, { currency: 'USD' })).toMatchObject({ code: '100.200.104' })
  })

  it('without the digits of its number in the refusal', () => {
    expect(JSON.stringify(check({ number: 'DE88370400440532013000' }))).not.toMatch(/3704|3000/)
  })
})

test('three brands are charged to a bank account without a redirect', () => {
  const accepted = Object.keys(brands).filter((brand) => check({}, { brand, type: undefined }).kind === 'bankAccount')
  expect(accepted).toEqual(['CLIQ', 'DIRECTDEBIT_SEPA', 'SEPA'])
})
