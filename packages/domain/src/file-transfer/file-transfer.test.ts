import { HOUR_MS, MINUTE_MS } from '@tollgate/contract'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dueDayOf, localDayOf } from './due-day.ts'
import { defaultFileNames, fileNameFault, fileNameOf } from './file-name.ts'
import { matchesPattern } from './name-pattern.ts'
import { transferRetryAtMs } from './transfer-retry.ts'

describe('the day whose file is due', () => {
  const berlin = { hour: 6, timeZone: 'Europe/Berlin' }
  test.each([
    ['2026-06-16T03:59:59Z', '2026-06-14'],
    ['2026-06-16T04:00:00Z', '2026-06-15'],
    ['2026-06-16T21:59:59Z', '2026-06-15'],
    ['2026-06-17T03:59:59Z', '2026-06-15'],
    ['2026-03-01T05:00:00Z', '2026-02-28'],
  ])('at %s is %s in Berlin, with the hour 6', (at, day) => {
    expect(dueDayOf(berlin, Date.parse(at))).toBe(day)
  })

  test('advances by one day in a day, also when the clocks change', () => {
    const days = new Set<string>()
    for (let ms = Date.UTC(2026, 0, 1); ms < Date.UTC(2027, 0, 1); ms += HOUR_MS)
      days.add(dueDayOf({ hour: 2, timeZone: 'Europe/Berlin' }, ms))
    expect(days.size).toBe(366)
  })

  test('is of the zone', () => {
    expect(localDayOf({ timeZone: 'Pacific/Auckland' }, Date.parse('2026-06-15T13:00:00Z'))).toBe('2026-06-16')
  })
})

describe('the name of a file', () => {
  test('is made from the values', () => {
    const values = { entityId: 'abc', day: '2026-06-15' }
    expect(Object.values(defaultFileNames).map((pattern) => fileNameOf(pattern, values))).toEqual([
      'reconciliation-abc-2026-06-15.csv',
      'settlements-abc-2026-06-15.csv',
    ])
    expect(fileNameOf('{compactDay}_R.csv', values)).toBe('20260615_R.csv')
  })

  test.each([
    ['{day}.csv', undefined],
    [defaultFileNames.reconciliationRecord, undefined],
    [defaultFileNames.settlementReport, undefined],
    ['record.csv', 'must contain {day} or {compactDay}'],
    ['{day}{shop}.csv', 'may contain only the fields {entityId}, {day}, {compactDay}'],
    ['{constructor}{day}', 'may contain only the fields {entityId}, {day}, {compactDay}'],
    ['../{day}.csv', expect.stringContaining('must make names of letters')],
    ['.{day}.csv', expect.stringContaining('must make names of letters')],
    ['-{day}.csv', expect.stringContaining('must make names of letters')],
    ['{day}.part', expect.stringContaining('.part')],
    ['{day', 'must contain {day} or {compactDay}'],
    ['{{day}}', expect.stringContaining('must make names of letters')],
    [`${'a'.repeat(120)}{day}`, 'must make names of at most 128 characters'],
  ])('by the pattern %s has the fault %s', (pattern, fault) => {
    expect(fileNameFault(pattern)).toEqual(fault)
  })
})

test.each([
  ['*.csv', 'north.csv', true],
  ['*.csv', 'north.csv.gz', false],
  ['S?-*.xml', 'S1-2026.xml', true],
  ['S?-*.xml', 'S-2026.xml', false],
  ['*', '', true],
  ['', 'a', false],
  ['a*b*c', 'abbbcbc', true],
  ['a*b*c', 'abbbcb', false],
  ['a.c', 'abc', false],
])('the pattern %s and the name %s match: %s', (pattern, name, isMatch) => {
  expect(matchesPattern(pattern, name)).toBe(isMatch)
})

test('patterns match like the regular expression that they stand for', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 })
  const patterns = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), maxLength: 8 })
  fc.assert(
    fc.property(patterns, letters, (pattern, name) => {
      const expression = new RegExp(`^${pattern.replaceAll('*', '.*').replaceAll('?', '.')}$`)
      expect(matchesPattern(pattern, name)).toBe(expression.test(name))
    }),
  )
})

test('waits between attempts at a transfer grow, and end', () => {
  const waits: number[] = []
  for (let attempts = 1; ; attempts += 1) {
    const atMs = transferRetryAtMs(attempts, 0, 0)
    if (atMs === undefined) break
    expect(transferRetryAtMs(attempts, 0, 1)).toBeCloseTo(atMs * 1.1, 0)
    waits.push(atMs)
  }
  expect(waits).toEqual(waits.toSorted((a, b) => a - b))
  expect([waits[0], waits.length]).toEqual([MINUTE_MS, 10])
})
