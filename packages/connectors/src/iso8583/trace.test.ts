import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { localTime, originalData, retrievalReference, stanOf, transmissionTime } from './trace.ts'

const at = (time: string): { readonly atMs: number } => ({ atMs: Date.parse(time) })

test.each([
  [1, '000001'],
  [123, '000123'],
  [999_999, '999999'],
])('trace number %i has six digits: %s', (number, stan) => {
  expect(stanOf(number)).toBe(stan)
})

test.each([
  ['2026-01-02T03:04:05.999Z', '0102030405'],
  ['2026-11-20T23:59:59Z', '1120235959'],
  ['2026-12-31T23:30:00-02:00', '0101013000'],
])('field 7 of %s is %s: month, day and time in UTC', (time, expected) => {
  expect(transmissionTime(at(time))).toBe(expected)
})

// Berlin has summer time from 2026-03-29 to 2026-10-25, each change at 01:00 UTC.
test.each([
  ['in winter', '2026-01-15T12:00:00Z', 'Europe/Berlin', '130000', '0115'],
  ['in summer', '2026-07-15T12:00:00Z', 'Europe/Berlin', '140000', '0715'],
  ['in the last second before summer time', '2026-03-29T00:59:59Z', 'Europe/Berlin', '015959', '0329'],
  ['in the first second of summer time', '2026-03-29T01:00:00Z', 'Europe/Berlin', '030000', '0329'],
  ['in the last second of summer time', '2026-10-25T00:59:59Z', 'Europe/Berlin', '025959', '1025'],
  ['in the first second after summer time', '2026-10-25T01:00:00Z', 'Europe/Berlin', '020000', '1025'],
  ['at midnight, which is hour 00', '2026-01-14T23:00:00Z', 'Europe/Berlin', '000000', '0115'],
  ['on another day than in UTC', '2026-12-31T20:00:09Z', 'Asia/Tokyo', '050009', '0101'],
  ['with half an hour of difference', '2026-06-01T00:00:00Z', 'Asia/Kolkata', '053000', '0601'],
  ['in UTC', '2026-06-01T07:08:09Z', 'UTC', '070809', '0601'],
])('fields 12 and 13 %s', (_, time, zone, expectedTime, expectedDate) => {
  expect(localTime(at(time), zone)).toEqual({ time: expectedTime, date: expectedDate })
})

describe('field 37 has the year’s last digit, the day of the year, the hour and the trace number', () => {
  test.each([
    ['the first hour of a year', '2026-01-01T00:00:00Z', '600100000123'],
    ['the last hour of a year', '2026-12-31T23:59:59Z', '636523000123'],
    ['the last day of a leap year', '2028-12-31T23:00:00Z', '836623000123'],
    ['the day after 28 February', '2027-03-01T09:00:00Z', '706009000123'],
    ['29 February', '2028-02-29T09:00:00Z', '806009000123'],
    ['a year that ends with 0', '2030-01-10T01:00:00Z', '001001000123'],
    ['another day than in UTC', '2026-12-31T23:30:00-02:00', '700101000123'],
  ])('%s', (_, time, reference) => {
    expect(retrievalReference({ ...at(time), stan: '000123' })).toBe(reference)
  })
})

test('field 37 is equal only for the same trace number in the same hour, within ten years', () => {
  const startMs = Date.UTC(2026, 0, 1)
  const moment = fc.record({
    hour: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 87_647 })),
    stan: fc.integer({ min: 1, max: 999_999 }).map(stanOf),
  })
  const referenceOf = ({ hour, stan }: { readonly hour: number; readonly stan: string }) =>
    retrievalReference({ atMs: startMs + hour * 3_600_000 + 1_799_000, stan })
  fc.assert(
    fc.property(moment, moment, fc.boolean(), (one, other, sameStan) => {
      const second = sameStan ? { ...other, stan: one.stan } : other
      const isSame = one.hour === second.hour && one.stan === second.stan
      expect(referenceOf(one) === referenceOf(second)).toBe(isSame)
    }),
    { numRuns: 2_000 },
  )
})

describe('field 90 has the type, trace number, time, acquirer and forwarder of the original', () => {
  test.each([
    ['without a forwarder', '0100', '400123', undefined, '010000012311200930150000040012300000000000'],
    ['with a forwarder', '0200', '400123', '500456', '020000012311200930150000040012300000500456'],
    ['with ids of 11 digits', '0220', '12345678901', '98765432109', '022000012311200930151234567890198765432109'],
  ])('%s', (_, type, acquirerId, forwarderId, expected) => {
    const trace = { ...at('2026-11-20T09:30:15Z'), stan: '000123' }
    const data = originalData(type, trace, { acquirerId, forwarderId })
    expect([data, data.length]).toEqual([expected, 42])
  })
})
