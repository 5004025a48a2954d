import { expect, test } from 'vitest'
import { bicCountry } from './bic.ts'

test.each([
  ['DEUTDEFF', 'DE'],
  ['MARKDEF1100', 'DE'],
  ['ABNANL2AXXX', 'NL'],
  ['AB1CGB2L', 'GB'],
  ['NCBVXKPR', 'XK'],
  ['DEUTXXFF', undefined],
  ['DEUT12FF', undefined],
  ['12345678', undefined],
  ['DEUTDEFF5', undefined],
  ['DEUTDEFF50', undefined],
  ['DEUTDEFF500X', undefined],
  ['DEUTDE', undefined],
  ['deutdeff', undefined],
  ['DEUTDEFF\n', undefined],
])('the country of the BIC %j is %s', (bic, country) => expect(bicCountry(bic)).toBe(country))
