import { expect, test } from 'vitest'
import { dayIn, dayText, monthIn, partsOf } from './days.ts'

test.each(['1999-12-31', '2000-02-29', '2026-05-04'])('%s is a day', (text) => {
  const day = dayIn(text)
  expect([day === undefined ? '' : dayText(day), day]).toEqual([text, Date.parse(text) / 86_400_000])
})

test.each([
  '',
  '2026-02-29',
  '2026-02-30',
  '2026-13-01',
  '2026-5-4',
  '2026-05-04T00:00:00Z',
  '0000-01-01',
  '99999-01-01',
])('%j is no day', (text) => {
  expect(dayIn(text)).toBeUndefined()
})

test.each([
  ['2026-02', '2026-02-01', '2026-02-28'],
  ['2024-02', '2024-02-01', '2024-02-29'],
  ['2026-12', '2026-12-01', '2026-12-31'],
])('%s is from %s to %s', (month, from, to) => {
  expect(monthIn(month)).toEqual({ fromDay: dayIn(from), toDay: dayIn(to) })
})

test.each(['', '2026', '2026-00', '2026-13', '2026-02-01'])('%j is no month', (text) => {
  expect(monthIn(text)).toBeUndefined()
})

test('a range is divided into parts', () => {
  expect([...partsOf({ fromDay: 1, toDay: 5 }, 2)]).toEqual([
    { fromDay: 1, toDay: 2 },
    { fromDay: 3, toDay: 4 },
    { fromDay: 5, toDay: 5 },
  ])
  expect([...partsOf({ fromDay: 2, toDay: 1 }, 2)]).toEqual([])
})
