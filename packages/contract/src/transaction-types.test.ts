import { expect, test } from 'vitest'
import { isTransactionType, type TransactionType, transactionTypes } from './transaction-types.ts'

const types = Object.keys(transactionTypes).filter(isTransactionType)

test('the table has the types that the contract lists for queries, in its order', () => {
  expect(types.join(', ')).toBe(
    'CB, CD, CR, DB, CP, IV, PA, RB, RC, RF, RL, RV, AD, IN, FI, CL, CF, DR, RG, RR, TE, CT, DS, RS, SD, AC, MD, EA, ' +
      'RI, 3D, SA, EN, ID, IC, DP, CG, TG, SF, IS, VD, DV, AF, GK, RD, TM, FT, KT, AR, AL, PL, FN, FZ, RE, RX, FO, ' +
      'CS, EX, SE, AU, TK, TF, ER',
  )
})

test.each<[TransactionType, string]>([
  ['CP', 'PA'],
  ['RV', 'PA DB CP RB'],
  ['RF', 'DB CP CD RB RC'],
  ['RB', 'DB CP'],
  ['CB', 'DB CP RB RF CR'],
  ['CR', 'CB'],
  ['DR', 'RG RR'],
  ['DS', 'SD RS'],
  ['DB', ''],
])('%s refers to: %s', (type, references) => expect(transactionTypes[type].references.join(' ')).toBe(references))

test('every referenced type can be created, and every referencing type has a reference', () => {
  const referred = types.flatMap((type) => transactionTypes[type].references)
  expect(referred.filter((type) => transactionTypes[type].class === 'filter')).toEqual([])
  const referring = types.filter((type) => transactionTypes[type].class === 'referencing')
  expect(referring.filter((type) => transactionTypes[type].references.length === 0)).toEqual([])
})

test('exactly the types of the class filter have the name "Filter only"', () => {
  const filterOnly = types.filter((type) => transactionTypes[type].name === 'Filter only')
  expect(filterOnly).toEqual(types.filter((type) => transactionTypes[type].class === 'filter'))
})

test.each([
  ['DB', true],
  ['3D', true],
  ['db', false],
  ['XX', false],
  ['', false],
])('isTransactionType(%j) is %s', (code, expected) => expect(isTransactionType(code)).toBe(expected))
