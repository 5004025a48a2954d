import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Received } from '@tollgate/operations'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { watchSettlementFolder } from './settlement-folder.ts'

let folder: string
let received: string[]
let answer: Received['kind']
/** The beginning of the names whose receipt fails. */
let failing: string | undefined
let logged: object[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-folder-'))
  received = []
  logged = []
  answer = 'received'
  failing = undefined
})
afterEach(() => rmSync(folder, { recursive: true }))

function watch() {
  const ignore = () => undefined
  const log = { info: ignore, warn: ignore, error: (fields: object) => void logged.push(fields), flush: ignore }
  return watchSettlementFolder({
    folder,
    log,
    clock: { now: () => 7 },
    async receive({ name, arrivedBy, chunks }) {
      if (failing !== undefined && name.startsWith(failing)) throw new Error('simulated')
      const parts: Uint8Array[] = []
      for await (const chunk of chunks) parts.push(chunk)
      received.push(`${name} ${arrivedBy} ${Buffer.concat(parts).toString()}`)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the task reads the kind alone
      return { kind: answer } as Received
    },
  })
}

async function sweep(task = watch(), times = 2): Promise<void> {
  for (let time = 0; time < times; time += 1) await task.step()
}
const list = (name = '') => readdirSync(join(folder, name)).toSorted()

test('a file that does not change any more is received and moved', async () => {
  writeFileSync(join(folder, 'a.csv'), 'one')
  await sweep()
  expect(received).toEqual(['a.csv folder one'])
  expect([list(), list('read')]).toEqual([['read'], ['7-a.csv']])
  await sweep()
  expect(received.length).toBe(1)
})

test('a file that is being written is taken when it is complete', async () => {
  const task = watch()
  writeFileSync(join(folder, 'a.csv'), 'o')
  await sweep(task, 1)
  writeFileSync(join(folder, 'a.csv'), 'one')
  await sweep(task, 1)
  expect(received).toEqual([])
  await sweep(task, 1)
  expect(received).toEqual(['a.csv folder one'])
})

test('a file that is refused is moved apart', async () => {
  answer = 'empty'
  writeFileSync(join(folder, 'a.csv'), '')
  await sweep()
  expect([list(), list('refused'), logged]).toEqual([
    ['refused'],
    ['7-a.csv'],
    [{ settlementFolder: 'a file was refused', reason: 'empty' }],
  ])
})

test('hidden files, unfinished transfers, folders and links are not touched', async () => {
  writeFileSync(join(folder, '.a.csv'), '1')
  writeFileSync(join(folder, 'b.csv.part'), '1')
  writeFileSync(join(folder, 'c.tmp'), '1')
  mkdirSync(join(folder, 'd'))
  symlinkSync('/etc/hostname', join(folder, 'e.csv'))
  const before = list()
  await sweep(watch(), 3)
  expect([received, list()]).toEqual([[], before])
})

test('a file that cannot be received is logged and stays, and the others are received', async () => {
  failing = 'a'
  for (const name of ['a.csv', 'b.csv']) writeFileSync(join(folder, name), name)
  await sweep()
  expect([received, list(), logged.length]).toEqual([['b.csv folder b.csv'], ['a.csv', 'read'], 1])
  failing = undefined
  await sweep(watch())
  expect(list()).toEqual(['read'])
})

const many = Array.from({ length: limits.settlementFolderFilesMax }, (_, index) => `a${String(index).padStart(4, '0')}`)

test('entries that are no files do not count', async () => {
  for (const name of many) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'b.csv'), 'one')
  await sweep()
  expect(received).toEqual(['b.csv folder one'])
})

test('the last of more files than a step examines is received although the others fail', async () => {
  failing = 'a'
  for (const name of many) writeFileSync(join(folder, name), '1')
  writeFileSync(join(folder, 'b.csv'), 'one')
  await sweep(watch(), 3)
  expect(received).toEqual(['b.csv folder one'])
})

test('a folder that does not exist fails the step, and nothing else', async () => {
  rmSync(folder, { recursive: true })
  await expect(watch().step()).rejects.toThrow('ENOENT')
  mkdirSync(folder)
})
