import { expect, test } from 'vitest'
import { challengeWindowFor } from './browser.ts'

test.each([
  [256, '1'],
  [389, '1'],
  [390, '2'],
  [499, '2'],
  [500, '3'],
  [1_200, '3'],
])('the challenge window for a form of %i pixels has the code %s', (width, code) =>
  expect(challengeWindowFor(width).code).toBe(code),
)
