import { expect, test } from 'vitest'
import { isRecent } from './database.ts'

test.each([
  ['3.51.3', true],
  ['3.51.10', true],
  ['3.53.0', true],
  ['4.0.0', true],
  ['3.51.2', false],
  ['3.50.9', false],
  ['2.99.9', false],
])('SQLite %s is recent enough: %s', (version, expected) => {
  expect(isRecent(version)).toBe(expected)
})
