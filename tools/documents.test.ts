import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { breakingDocuments, RELEASED, releaseDocuments, staleDocuments, writeDocuments } from './documents.ts'

const all = [
  'reference/parameters.md',
  'reference/responses.md',
  'reference/result-codes.md',
  'reference/transaction-types.md',
  'reference/brands.md',
  'reference/events.md',
  'reference/widget-texts.md',
  'reference/openapi.json',
  'reference/method-operations.md',
  'reference/payment-page.md',
  'reference/throttling.md',
  'guides/test-data.md',
]
let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'documents-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('an empty folder is wholly stale, a written one is not', () => {
  expect(staleDocuments(folder)).toEqual(all)
  expect(writeDocuments(folder)).toEqual(all)
  expect(staleDocuments(folder)).toEqual([])
})

test.each(all)('an edited %s is named', (path) => {
  writeDocuments(folder)
  writeFileSync(join(folder, path), 'mine')
  expect(staleDocuments(folder)).toEqual([path])
})

test('no change is breaking without a release, nor right after one', () => {
  expect(breakingDocuments(folder)).toEqual([])
  expect(releaseDocuments(folder)).toEqual([])
  expect(breakingDocuments(folder)).toEqual([])
})

test('a removed parameter is a breaking change, and the released document is not overwritten', () => {
  releaseDocuments(folder)
  const path = join(folder, RELEASED)
  const more = readFileSync(path, 'utf8').replaceAll('customer.givenName', 'customer.nickname')
  writeFileSync(path, more)
  const breaking = breakingDocuments(folder)
  expect(breaking).toContain('removed parameter customer.nickname in POST /v1/payments')
  expect(releaseDocuments(folder)).toEqual(breaking)
  expect(readFileSync(path, 'utf8')).toBe(more)
})

test('the committed documents match the tables, and are compatible with the released one', () => {
  const committed = join(import.meta.dirname, '../../docs')
  expect(staleDocuments(committed)).toEqual([])
  expect(breakingDocuments(committed)).toEqual([])
})
