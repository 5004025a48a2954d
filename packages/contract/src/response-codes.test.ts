import { expect, test } from 'vitest'
import {
  resultsWithoutResponse,
  type ResponseClass,
  responseCodes,
  resultOfResponse,
  unknownResponse,
} from './response-codes.ts'
import { type ResultCode, outcomeOf } from './result-codes.ts'

const rows = Object.entries(responseCodes)

test('the table has 98 response codes of two characters, each with an action code', () => {
  expect(rows).toHaveLength(98)
  expect(rows.filter(([code]) => !/^[0-9A-Z]{2}$/.test(code))).toEqual([])
  expect(rows.filter(([, { action }]) => !/^\d{3,4}$/.test(action))).toEqual([])
})

/**
 * Whether the result code of a response of this class is a success; undefined for notices, which are not about a
 * payment.
 */
const succeeds: Readonly<Record<ResponseClass, boolean | undefined>> = {
  approved: true,
  partial: true,
  declined: false,
  softDecline: false,
  pickUp: false,
  error: false,
  notice: undefined,
}

test('approvals are successes and are not retried; other responses, except notices, are no successes', () => {
  const all = [...rows, ...Object.entries(resultsWithoutResponse), ['??', unknownResponse] as const]
  const decided = all.filter(([, row]) => succeeds[row.class] !== undefined)
  expect(decided.filter(([, row]) => (outcomeOf(row.resultCode) === 'success') !== succeeds[row.class])).toEqual([])
  expect(all.filter(([, row]) => succeeds[row.class] === true && row.retry !== 'none')).toEqual([])
})

test.each<[string, string, ResultCode]>([
  ['00', 'VISA', '000.000.000'],
  ['05', 'VISA', '800.100.152'],
  ['14', 'VISA', '800.100.151'],
  ['51', 'VISA', '800.100.155'],
  ['54', 'VISA', '800.100.157'],
  ['41', 'VISA', '800.100.165'],
  ['43', 'VISA', '800.100.159'],
  ['57', 'VISA', '800.100.170'],
  ['59', 'VISA', '800.100.158'],
  ['63', 'VISA', '800.100.158'],
  ['61', 'VISA', '800.100.162'],
  ['62', 'VISA', '800.100.168'],
  ['65', 'VISA', '800.100.163'],
  ['65', 'MASTER', '300.100.100'],
  ['65', 'MAESTRO', '300.100.100'],
  ['1A', 'VISA', '300.100.100'],
  ['75', 'VISA', '800.100.178'],
  ['38', 'VISA', '800.100.178'],
  ['55', 'VISA', '800.100.166'],
  ['N7', 'VISA', '800.100.153'],
  ['82', 'VISA', '800.100.153'],
  ['82', 'MASTER', '800.100.170'],
  ['6P', 'VISA', '800.100.153'],
  ['13', 'VISA', '800.100.174'],
  ['30', 'VISA', '800.100.156'],
  ['91', 'VISA', '900.100.400'],
  ['96', 'VISA', '900.100.200'],
  ['94', 'VISA', '800.110.100'],
  ['R0', 'VISA', '800.100.500'],
  ['R1', 'VISA', '800.100.501'],
  ['R3', 'VISA', '800.100.403'],
  ['??', 'VISA', '800.100.100'],
  ['', '', '800.100.100'],
  ['constructor', '', '800.100.100'],
])('response %s to brand %s has result code %s', (code, brand, resultCode) =>
  expect(resultOfResponse(code, brand)).toBe(resultCode),
)
