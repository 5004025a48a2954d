import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createClearingFolder } from './clearing-folder.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clearing-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const visible = () => readdirSync(join(folder, 'north')).filter((name) => !name.startsWith('.'))

async function* pieces(...texts: readonly (string | Error)[]) {
  for (const text of texts) {
    // No part of the file is visible while it is written.
    expect(visible()).toEqual([])
    if (text instanceof Error) throw text
    yield text
  }
}

test('a file is in the folder of its connector when it is complete, for its owner only', async () => {
  await createClearingFolder(folder).put('north', 'clearing-1.txt', pieces('CH', 'CT'))
  expect(visible()).toEqual(['clearing-1.txt'])
  expect(readFileSync(join(folder, 'north/clearing-1.txt'), 'utf8')).toBe('CHCT')
  expect(statSync(join(folder, 'north/clearing-1.txt')).mode & 0o777).toBe(0o600)
})

test('a file that could not be completed is never visible, and is written again', async () => {
  const files = createClearingFolder(folder)
  await expect(files.put('north', 'clearing-1.txt', pieces('CH', new Error('undecided')))).rejects.toThrow('undecided')
  expect(visible()).toEqual([])
  await files.put('north', 'clearing-1.txt', pieces('CH'))
  expect(readFileSync(join(folder, 'north/clearing-1.txt'), 'utf8')).toBe('CH')
})
