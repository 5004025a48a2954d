import { expect, test } from 'vitest'
import { isTransactionType, type TransactionType, transactionTypes } from './transaction-types.ts'

const types = Object.keys(transactionTypes).filter(isTransactionType)

test('the 62 types that the contract lists for queries, in its order', () => {
  expect(types.filter((type) => type !== '3D').join(', ')).toBe(
    'CB, CD, CR, DB, CP, IV, PA, RB, RC, RF, RL, RV, AD, IN, FI, CL, CF, DR, RG, RR, TE, CT, DS, RS, SD, AC, MD, EA, ' +
      'RI, SA, EN, ID, IC, DP, CG, TG, SF, IS, VD, DV, AF, GK, RD, TM, FT, KT, AR, AL, PL, FN, FZ, RE, RX, FO, CS, ' +
      'EX, SE, AU, TK, TF, ER',
  )
  expect(types).toContain('3D')
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

test('references exist, and only types that nobody creates have no meaning', () => {
  for (const type of types) {
    const row = transactionTypes[type]
    for (const reference of row.references) expect(transactionTypes[reference].class, type).not.toBe('filter')
    expect(row.name === 'Filter only', type).toBe(row.class === 'filter')
    if (row.class === 'referencing') expect(row.references, type).not.toEqual([])
  }
})

test.each([
  ['DB', true],
  ['3D', true],
  ['db', false],
  ['XX', false],
  ['', false],
])('isTransactionType(%j) is %s', (code, expected) => expect(isTransactionType(code)).toBe(expected))
