import { expect, test } from 'vitest'
import { outcomeOf } from './result-codes.ts'
import { isSepaRejectReason, sepaRejectReasons } from './sepa-reject-reasons.ts'

const rows = Object.entries(sepaRejectReasons)

test('27 reasons of four characters, sorted, each of which rejects', () => {
  expect(rows).toHaveLength(27)
  expect(rows.map(([reason]) => reason)).toEqual(rows.map(([reason]) => reason).toSorted())
  expect(rows.filter(([reason]) => !/^[A-Z]{2}([0-9]{2}|OR)$/.test(reason))).toEqual([])
  expect(rows.filter(([, { resultCode }]) => outcomeOf(resultCode) !== 'rejected')).toEqual([])
})

// MD06, an authorised refund, comes only after settlement.
test.each(['MD06', 'FOCR', 'am04', '', 'constructor'])('%j is none of them', (code) => {
  expect(isSepaRejectReason(code)).toBe(false)
})
