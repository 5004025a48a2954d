import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findBreakingChanges, RELEASED, releaseDocuments, staleDocuments, writeDocuments } from './documents.ts'

const documentPaths = [
  'reference/parameters.md',
  'reference/responses.md',
  'reference/result-codes.md',
  'reference/transaction-types.md',
  'reference/brands.md',
  'reference/events.md',
  'reference/reconciliation.md',
  'reference/widget-texts.md',
  'reference/openapi.json',
  'reference/method-operations.md',
  'reference/payment-page.md',
  'reference/throttling.md',
  'guides/settlement-files.md',
  'guides/test-data.md',
]
let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'documents-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('all documents of an empty folder are stale, and none after they are written', () => {
  expect(staleDocuments(folder)).toEqual(documentPaths)
  expect(writeDocuments(folder)).toEqual(documentPaths)
  expect(staleDocuments(folder)).toEqual([])
})

test.each(documentPaths)('an edited %s is reported as stale', (path) => {
  writeDocuments(folder)
  writeFileSync(join(folder, path), 'edited')
  expect(staleDocuments(folder)).toEqual([path])
})

test('there is no breaking change without a released document, nor right after a release', () => {
  expect(findBreakingChanges(folder)).toEqual([])
  expect(releaseDocuments(folder)).toEqual([])
  expect(findBreakingChanges(folder)).toEqual([])
})

test('a removed parameter is a breaking change, and the released document is not overwritten', () => {
  releaseDocuments(folder)
  const path = join(folder, RELEASED)
  const edited = readFileSync(path, 'utf8').replaceAll('customer.givenName', 'customer.nickname')
  writeFileSync(path, edited)
  const breaking = findBreakingChanges(folder)
  expect(breaking).toContain('removed parameter customer.nickname in POST /v1/payments')
  expect(releaseDocuments(folder)).toEqual(breaking)
  expect(readFileSync(path, 'utf8')).toBe(edited)
})

test('the committed documents are up to date, and break no client of the released document', () => {
  const committed = join(import.meta.dirname, '../../docs')
  expect(staleDocuments(committed)).toEqual([])
  expect(findBreakingChanges(committed)).toEqual([])
})
