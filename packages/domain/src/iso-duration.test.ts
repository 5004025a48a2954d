import { expect, test } from 'vitest'
import { addDuration } from './iso-duration.ts'

const parse = (text: string) => Date.parse(`${text}Z`)

test.each([
  ['P1M', '2026-01-31T10:00:00', '2026-02-28T10:00:00'],
  ['P1Y', '2024-02-29T00:00:00', '2025-02-28T00:00:00'],
  ['P2W', '2026-12-25T00:00:00', '2027-01-08T00:00:00'],
  ['P1DT12H', '2026-03-28T00:00:00', '2026-03-29T12:00:00'],
  ['PT90S', '2026-01-01T00:00:00', '2026-01-01T00:01:30'],
  ['P1Y2M3DT4H5M6S', '2026-01-01T00:00:00', '2027-03-04T04:05:06'],
  ['PT0S', '2026-01-01T00:00:00', '2026-01-01T00:00:00'],
] as const)('%s after %s is %s', (duration, from, to) => {
  expect(addDuration(parse(from), duration)).toBe(parse(to))
})

test.each(['P300000Y', 'P999999999Y', 'P999999999M', 'P999999999D', 'P275000Y999999999D'])(
  '%s ends after the last date',
  (duration) => {
    expect(addDuration(parse('2026-01-01T00:00:00'), duration)).toBe(Number.POSITIVE_INFINITY)
  },
)

test.each([
  '',
  'P',
  'PT',
  'P1',
  '1M',
  'P-1M',
  'P1.5M',
  'PT1.5S',
  'P1H',
  'P1D1M',
  'p1m',
  'P1234567890D',
  'P1M ',
  'P1D\n',
])('%j is not accepted as a duration', (duration) => {
  expect(addDuration(0, duration)).toBeUndefined()
})
