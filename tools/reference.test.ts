import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { breakingReference, RELEASED, releaseReference, staleReference, writeReference } from './reference.ts'

const all = [
  'parameters.md',
  'responses.md',
  'result-codes.md',
  'transaction-types.md',
  'brands.md',
  'events.md',
  'openapi.json',
]
let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'reference-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('an empty folder is wholly stale, a written one is not', () => {
  expect(staleReference(folder)).toEqual(all)
  expect(writeReference(folder)).toEqual(all)
  expect(staleReference(folder)).toEqual([])
})

test('an edited document is named', () => {
  writeReference(folder)
  writeFileSync(join(folder, 'brands.md'), 'mine')
  expect(staleReference(folder)).toEqual(['brands.md'])
})

test('nothing breaks before there is a release, nor right after one', () => {
  expect(breakingReference(folder)).toEqual([])
  expect(releaseReference(folder)).toEqual([])
  expect(breakingReference(folder)).toEqual([])
})

test('a release that had more is not broken in silence, nor overwritten', () => {
  releaseReference(folder)
  const path = join(folder, RELEASED)
  const more = readFileSync(path, 'utf8').replaceAll('customer.givenName', 'customer.nickname')
  writeFileSync(path, more)
  expect(breakingReference(folder)).toContain('removed parameter customer.nickname in POST /v1/payments')
  expect(releaseReference(folder)).toEqual(breakingReference(folder))
  expect(readFileSync(path, 'utf8')).toBe(more)
})

test('the committed documents are what the contract says, and break nobody', () => {
  const committed = join(import.meta.dirname, '../../docs/reference')
  expect(staleReference(committed)).toEqual([])
  expect(breakingReference(committed)).toEqual([])
})
