import { expect, test } from 'vitest'
import { outcomeOf } from './result-codes.ts'
import { isSepaRejectReason, sepaRejectReasons } from './sepa-reject-reasons.ts'

const rows = Object.entries(sepaRejectReasons)

test('the table has 27 reasons of four characters, sorted, and the result of each is a rejection', () => {
  expect(rows).toHaveLength(27)
  expect(rows.map(([reason]) => reason)).toEqual(rows.map(([reason]) => reason).toSorted())
  expect(rows.filter(([reason]) => !/^[A-Z]{2}([0-9]{2}|OR)$/.test(reason))).toEqual([])
  expect(rows.filter(([, { resultCode }]) => outcomeOf(resultCode) !== 'rejected')).toEqual([])
})

// MD06, a refund of an authorised debit, occurs only after settlement.
test.each(['MD06', 'FOCR', 'am04', '', 'constructor'])('%j is not a reject reason', (code) => {
  expect(isSepaRejectReason(code)).toBe(false)
})
