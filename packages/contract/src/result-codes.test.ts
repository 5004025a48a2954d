import { expect, test } from 'vitest'
import {
  describeResult,
  isResultCode,
  outcomeOf,
  type ResultCode,
  type ResultGroup,
  type ResultOutcome,
  resultCodes,
  resultGroups,
} from './result-codes.ts'

const codes = Object.keys(resultCodes).filter(isResultCode)

/** The number of codes in each group: 620 published codes, 71 further codes of chargebacks and 8 of retry blocks. */
const sizes: Readonly<Record<ResultGroup, number>> = {
  success: 19,
  review: 13,
  pending: 8,
  waiting: 4,
  chargeback: 29 + 71,
  rating: 2,
  softDecline: 1,
  enrolment: 11,
  threeDSecure: 20,
  bank: 59,
  communication: 17,
  system: 9,
  asyncWorkflow: 12,
  externalRisk: 94,
  riskValidation: 23,
  blacklist: 18,
  retryBlock: 4 + 8,
  configuration: 31,
  registration: 27,
  job: 17,
  reference: 46,
  format: 66,
  address: 13,
  addressCheck: 9,
  contact: 20,
  account: 35,
  amount: 13,
}

test('each group has its number of codes', () => {
  const counted = Object.fromEntries(Object.keys(resultGroups).map((group) => [group, 0]))
  for (const { group } of Object.values(resultCodes)) counted[group] = (counted[group] ?? 0) + 1
  expect(counted).toEqual(sizes)
  expect(codes).toHaveLength(620 + 71 + 8)
})

test('codes are well-formed and sorted', () => {
  for (const code of codes) expect(code).toMatch(/^\d{3}\.\d{3}\.\d{3}$/)
  expect(codes).toEqual(codes.toSorted())
})

test('every code that matches the pattern of chargebacks is in the registry', () => {
  const pattern = Array.from({ length: 100 }, (_, reason) => `000.100.2${String(reason).padStart(2, '0')}`)
  expect(codes.filter((code) => outcomeOf(code) === 'chargeback')).toEqual(pattern)
})

test('every code has a unique description, which fits the contract (0 to 255 characters)', () => {
  const texts = codes.map(describeResult)
  for (const text of texts) expect(text).toMatch(/^\S.{6,253}\S$/)
  expect(new Set(texts).size).toBe(codes.length)
})

test.each<[ResultCode, string]>([
  ['000.000.100', 'successful request'],
  ['000.100.110', "Request successfully processed in 'Merchant in Integrator Test Mode'"],
  ['000.100.112', "Request successfully processed in 'Merchant in Connector Test Mode'"],
  ['000.200.000', 'transaction pending'],
  ['000.200.100', 'successfully created checkout'],
  ['000.200.101', 'successfully updated checkout'],
  ['100.100.101', 'invalid creditcard, bank account number or bank name'],
  ['200.300.404', 'invalid or missing parameter'],
  ['600.200.100', 'invalid Payment Method'],
  ['600.200.500', 'Invalid payment data'],
  ['600.200.500', 'configured'],
  ['700.400.510', 'capture needs at least one successful transaction of type (PA)'],
  ['700.400.530', 'reversal needs at least one successful transaction of type (CP or DB or RB or PA)'],
  ['700.400.580', 'cannot find transaction'],
  ['800.100.151', 'transaction declined (invalid card)'],
  ['800.120.100', 'Too many requests. Please try again later.'],
  ['800.900.300', 'invalid authentication information'],
])('the description of %s contains a phrase that clients match on: %s', (code, phrase) =>
  expect(describeResult(code)).toContain(phrase),
)

/** The expressions by which clients distinguish outcomes; a code that matches none of them is a rejection. */
const expressions: readonly (readonly [ResultOutcome, RegExp])[] = [
  ['success', /^(000\.000\.|000\.100\.1|000\.[36]|000\.400\.[1][12]0)/],
  ['review', /^(000\.400\.0[^3]|000\.400\.100)/],
  ['pending', /^(000\.200)/],
  ['pending', /^(800\.400\.5|100\.400\.500)/],
  ['chargeback', /^000\.100\.2\d\d$/],
]

test('every code has the outcome that the expressions of clients give it', () => {
  const outcomesOf = (code: ResultCode) =>
    expressions.filter(([, expression]) => expression.test(code)).map(([outcome]) => outcome)
  expect(codes.filter((code) => outcomesOf(code).length > 1)).toEqual([])
  expect(codes.filter((code) => outcomeOf(code) !== (outcomesOf(code)[0] ?? 'rejected'))).toEqual([])
})

test('only rejections may be retried, but not 900.100.300, whose outcome at the acquirer is unknown', () => {
  const retriable = codes.filter((code) => resultCodes[code].retriable)
  expect(retriable.filter((code) => outcomeOf(code) !== 'rejected')).toEqual([])
  expect(resultCodes['900.100.300'].retriable).toBe(false)
  expect(resultCodes['800.120.100'].retriable).toBe(true)
})

test.each([
  ['000.100.110', true],
  ['000.100.999', false],
  ['toString', false],
  ['', false],
])('isResultCode(%j) is %s', (code, expected) => expect(isResultCode(code)).toBe(expected))
