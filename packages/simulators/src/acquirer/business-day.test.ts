import { describe, expect, test } from 'vitest'
import { createBusinessDays, dayOfField15 } from './business-day.ts'
import { reconciliation, type TestTotals } from './testing/messages.ts'
import { TestHost } from './testing/test-host.ts'

const berlin = { time: '18:00', timeZone: 'Europe/Berlin' }

test.each([
  ['00:00', 'UTC', '2026-11-20T00:00:00Z', '2026-11-20'],
  ['00:00', 'UTC', '2026-11-20T23:59:59Z', '2026-11-20'],
  ['00:00', 'UTC', '2026-12-31T23:59:59Z', '2026-12-31'],
  ['18:00', 'Europe/Berlin', '2026-11-20T16:59:59Z', '2026-11-20'],
  ['18:00', 'Europe/Berlin', '2026-11-20T17:00:00Z', '2026-11-21'],
  ['18:00', 'Europe/Berlin', '2026-07-20T16:00:00Z', '2026-07-21'],
  ['00:00', 'Asia/Tokyo', '2026-11-20T15:00:00Z', '2026-11-21'],
  // On 29 March clocks skip 02:30: the day ends at 03:00.
  ['02:30', 'Europe/Berlin', '2026-03-29T00:59:59Z', '2026-03-29'],
  ['02:30', 'Europe/Berlin', '2026-03-29T01:00:00Z', '2026-03-30'],
])('with a cut-off at %s in %s, %s is in the business day %s', (time, timeZone, at, expected) => {
  const days = createBusinessDays({ time, timeZone })
  expect(days.dayOf(Date.parse(at))).toBe(expected)
  expect(Date.parse(at)).toBeLessThan(days.endOf(expected))
})

test.each([
  ['24:00', 'UTC', 'the cut-off must be a time HH:mm'],
  ['9:00', 'UTC', 'the cut-off must be a time HH:mm'],
  ['09:00', 'Europe/Nowhere', 'the time zone of the cut-off is not known'],
])('a cut-off at %s in %s is refused', (time, timeZone, message) =>
  expect(() => createBusinessDays({ time, timeZone })).toThrow(message),
)

test.each([
  ['1120', '2026-11-20', '2026-11-20'],
  ['1231', '2027-01-01', '2026-12-31'],
  ['0101', '2026-12-31', '2027-01-01'],
  ['0229', '2027-03-01', '2028-02-29'],
  ['0230', '2026-11-20', undefined],
  ['1301', '2026-11-20', undefined],
])('field 15 with %s, on %s, is %s', (monthAndDay, day, expected) =>
  expect(dayOfField15(monthAndDay, day)).toBe(expected),
)

describe('a batch', () => {
  const sale: TestTotals = { counts: [0, 0, 1, 0], amounts: [0, 0, 9200, 0], net: 'D9200' }
  const none: TestTotals = { counts: [0, 0, 0, 0], amounts: [0, 0, 0, 0], net: 'C0' }
  const reversed: TestTotals = { counts: [0, 0, 1, 1], amounts: [0, 0, 9200, 9200], net: 'C0' }

  /** A host on 20 November with a sale, and one more on 21 November by its cut-off. */
  function hostOnTwoDays(): TestHost {
    const host = new TestHost(berlin)
    expect(host.step('first', { type: '0200' }).fields[15]).toBe('1120')
    host.nowMs = Date.parse('2026-11-20T17:00:00Z')
    expect(host.step('second', { type: '0200' }).fields[15]).toBe('1121')
    return host
  }

  test('has the transactions of one business day, and a reconciliation closes that day alone', () => {
    const host = hostOnTwoDays()
    expect(host.totals).toEqual(['0:0 0:0 1:9200 0:0', '0:0 0:0 1:9200 0:0'])
    const answer = host.send(reconciliation(sale, 901, { 15: '1120' }))
    expect([answer.fields[15], answer.fields[66]]).toEqual(['1120', '1'])
    expect([...host.host.state.closedBatches.values()]).toMatchObject([{ businessDay: '2026-11-20', number: 1 }])
    expect(host.totals).toEqual(['0:0 0:0 0:0 0:0', '0:0 0:0 1:9200 0:0'])
    expect(host.send(reconciliation(none, 902, { 15: '1120' })).fields[66]).toBe('1')
    expect(host.send(reconciliation(none, 903, { 15: '1122' })).fields[66]).toBe('1')
    expect(host.send(reconciliation(sale, 904, { 15: '1121', 41: undefined })).fields[66]).toBe('1')
  })

  test('that is closed is compared again, as after a lost answer', () => {
    const host = hostOnTwoDays()
    host.send(reconciliation(sale, 901, { 15: '1120' }))
    expect(host.send(reconciliation(sale, 902, { 15: '1120' })).fields[66]).toBe('1')
    const other = host.send(reconciliation(reversed, 903, { 15: '1120', 41: undefined }))
    expect([other.fields[66], other.fields[76], other.fields[88]]).toEqual(['2', '1', '9200'])
    expect([...host.host.state.closedBatches.values()].length).toBe(1)
  })

  test('of every day is compared by a reconciliation without a date', () => {
    const host = hostOnTwoDays()
    const both: TestTotals = { counts: [0, 0, 2, 0], amounts: [0, 0, 18_400, 0], net: 'D18400' }
    expect(host.send(reconciliation(sale, 901, { 15: undefined })).fields[66]).toBe('2')
    expect(host.send(reconciliation(both, 902, { 15: undefined })).fields[66]).toBe('1')
    expect([...host.host.state.closedBatches.values()].map(({ businessDay }) => businessDay)).toEqual([
      '2026-11-20',
      '2026-11-21',
    ])
  })

  test('of a day that does not exist is a format error', () =>
    expect(hostOnTwoDays().send(reconciliation(none, 901, { 15: '0230' })).fields[39]).toBe('30'))

  test('that is open counts the reversals of its transactions, also after the cut-off', () => {
    const host = hostOnTwoDays()
    const answer = host.step('reversal', { type: '0400', of: 'first' })
    expect([answer.fields[39], answer.fields[15]]).toEqual(['00', '1120'])
    expect(host.send(reconciliation(sale, 901, { 15: '1120' })).fields[66]).toBe('2')
    expect(host.send(reconciliation(reversed, 902, { 15: '1120' })).fields[66]).toBe('1')
  })

  test('that is closed refuses a reversal by request; one by advice counts in the current day', () => {
    const host = hostOnTwoDays()
    host.send(reconciliation(sale, 901, { 15: '1120' }))
    expect(host.step('request', { type: '0400', of: 'first' }).fields[39]).toBe('21')
    const answer = host.step('advice', { type: '0420', of: 'first' })
    expect([answer.fields[39], answer.fields[15]]).toEqual(['00', '1121'])
    expect(host.send(reconciliation(reversed, 902, { 15: '1121' })).fields[66]).toBe('1')
  })

  test('takes the reversals of refunds and captures, too', () => {
    const host = hostOnTwoDays()
    host.nowMs = Date.parse('2026-11-20T12:00:00Z')
    host.step('hold', { type: '0100' })
    host.step('capture', { type: '0220', of: 'hold' })
    host.step('refund', { type: '0200', processing: '20', amount: 1000, of: 'first' })
    host.nowMs = Date.parse('2026-11-20T18:00:00Z')
    expect(host.step('of capture', { type: '0400', of: 'capture' }).fields[15]).toBe('1120')
    expect(host.step('of refund', { type: '0400', of: 'refund', amount: 1000 }).fields[15]).toBe('1120')
    expect(host.step('of hold', { type: '0400', of: 'hold' }).fields[15]).toBe('1121')
    expect(host.totals[0]).toBe('1:1000 1:1000 2:18400 1:9200')
  })
})
