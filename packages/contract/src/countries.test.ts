import { expect, test } from 'vitest'
import { countries, isCountry } from './countries.ts'

const codes = Object.keys(countries)

test('the table has the 249 codes of ISO 3166-1, sorted and well-formed, each alpha-3 code and number once', () => {
  expect(codes).toHaveLength(249)
  expect(codes).toEqual(codes.toSorted())
  for (const code of codes) expect(code).toMatch(/^[A-Z]{2}$/)
  const rows = Object.values(countries)
  for (const row of rows) expect(`${row.alpha3} ${row.numeric}`).toMatch(/^[A-Z]{3} \d{3}$/)
  expect(new Set(rows.map((row) => row.alpha3)).size).toBe(249)
  expect(new Set(rows.map((row) => row.numeric)).size).toBe(249)
})

test.each([
  ['DE', 'DEU', '276', 'Germany'],
  ['GB', 'GBR', '826', 'United Kingdom'],
  ['SD', 'SDN', '729', 'Sudan'],
  ['SS', 'SSD', '728', 'South Sudan'],
] as const)('%s has its alpha-3 code, number and name', (code, alpha3, numeric, name) =>
  expect(countries[code]).toEqual({ alpha3, numeric, name }),
)

test.each([
  ['DE', true],
  ['de', false],
  ['UK', false],
  ['EU', false],
  ['XK', false],
  ['', false],
  ['constructor', false],
])('isCountry(%j) is %s', (code, expected) => expect(isCountry(code)).toBe(expected))
