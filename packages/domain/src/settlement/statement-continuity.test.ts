import { expect, test } from 'vitest'
import { areAdjacent, type BankStatement, statementFault } from './statement-continuity.ts'

const before: BankStatement = { settledOn: '2026-12-30', sequence: 12, openingMinor: 0, closingMinor: 500 }
const own: BankStatement = { settledOn: '2026-12-31', sequence: 13, openingMinor: 500, closingMinor: 700 }
const after: BankStatement = { settledOn: '2027-01-04', sequence: 14, openingMinor: 700, closingMinor: 900 }
const newYear = { settledOn: '2027-01-02', sequence: 1 }
const balanceBefore = 'OPBD: the closing balance of 2026-12-30, number 12'

test.each<[name: string, changes: Partial<BankStatement>, fault: string | undefined]>([
  ['the next number with the balance', {}, undefined],
  ['a number that is left out', { sequence: 14 }, 'ElctrncSeqNb: 13'],
  ['the same number', { sequence: 12 }, 'ElctrncSeqNb: 13'],
  ['an earlier number', { sequence: 11 }, 'ElctrncSeqNb: 13'],
  ['number 1 of a new year', newYear, undefined],
  ['number 2 of a new year', { ...newYear, sequence: 2 }, 'ElctrncSeqNb: 13'],
  ['number 1 in the same year', { sequence: 1 }, 'ElctrncSeqNb: 13'],
  ['another balance', { openingMinor: 499 }, balanceBefore],
  ['another balance in a new year', { ...newYear, openingMinor: 1 }, balanceBefore],
  ['the balance without a number', { sequence: undefined }, undefined],
  ['another balance without a number', { sequence: undefined, openingMinor: 0 }, balanceBefore],
])('after an accepted statement: %s', (_, changes, expected) => {
  expect(faultText(statementFault(before, { ...own, ...changes }, undefined))).toBe(expected)
})

test.each<[name: string, changes: Partial<BankStatement>, fault: string | undefined]>([
  ['the number before, with the balance', {}, undefined],
  ['an earlier number', { sequence: 12 }, 'ElctrncSeqNb: 13'],
  ['another balance', { closingMinor: 1 }, 'CLBD: the opening balance of 2027-01-04, number 14'],
])('before the first accepted statement: %s', (_, changes, expected) => {
  expect(faultText(statementFault(undefined, { ...own, ...changes }, after))).toBe(expected)
})

test('the first statement of an account has any number and balance', () => {
  expect(statementFault(undefined, own, undefined)).toBeUndefined()
})

test('no second statement comes between two that follow each other', () => {
  const next = { ...after, sequence: 13, openingMinor: 500 }
  expect(faultText(statementFault(before, { ...own, closingMinor: 500 }, next))).toBe('ElctrncSeqNb: 12')
})

test('a gap is closed from both of its ends', () => {
  const later = { ...after, sequence: 20 }
  expect(statementFault(before, own, later)).toBeUndefined()
  expect(statementFault(before, { ...own, sequence: 19 }, later)).toBeUndefined()
  expect(faultText(statementFault(before, { ...own, sequence: 15 }, later))).toBe('ElctrncSeqNb: 13')
})

test('the balance of a statement without a number names the day', () => {
  const unnumbered = { ...before, sequence: undefined }
  expect(statementFault(unnumbered, { ...own, openingMinor: 1 }, undefined)?.expected).toBe(
    'the closing balance of 2026-12-30',
  )
})

test('statements are adjacent in either order', () => {
  expect([areAdjacent(before, own), areAdjacent(own, before), areAdjacent(before, after)]).toEqual([true, true, false])
})

const faultText = (fault: ReturnType<typeof statementFault>) => fault && `${fault.field}: ${fault.expected}`
