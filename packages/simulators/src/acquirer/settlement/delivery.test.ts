import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { limits } from '../../limits.ts'
import { type Acquirer, type AcquirerOptions, createAcquirer } from '../acquirer.ts'
import { testMessage } from '../testing/messages.ts'

let folder = ''
let nowMs = 0
const acquirers: Acquirer[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-settlement-'))
  nowMs = Date.parse('2026-11-20T09:00:00Z')
})

afterEach(async () => {
  await closeAll()
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true })
})

const closeAll = (): Promise<unknown> => Promise.all(acquirers.splice(0).map((acquirer) => acquirer.close()))

const settled = (): string => join(folder, 'settled')

async function start(options: AcquirerOptions = {}): Promise<Acquirer> {
  const random = (bytes: number): Uint8Array => new Uint8Array(bytes)
  const acquirer = await createAcquirer(
    { url: '', clock: { now: () => nowMs }, random },
    { settlementFolder: settled(), file: join(folder, 'journal'), ...options },
  )
  await acquirer.listen('127.0.0.1', 0)
  acquirers.push(acquirer)
  return acquirer
}

const sell = (acquirer: Acquirer, stan: number): unknown =>
  acquirer.host.handle(testMessage({ type: '0200', stan }), { isSignedOn: true })

test('each file is written once after the end of its day, also after a restart', async () => {
  const acquirer = await start()
  await acquirer.advance()
  sell(acquirer, 1)
  await acquirer.advance()
  nowMs = Date.parse('2026-11-22T00:00:00Z')
  await Promise.all([acquirer.advance(), acquirer.advance()])
  const names = ['TOLLGATE-20261120.csv', 'TOLLGATE-20261121.csv']
  expect(readdirSync(settled()).toSorted()).toEqual(names)
  expect(statSync(join(settled(), names[0] ?? '')).mode & 0o777).toBe(0o600)
  const first = readFileSync(join(settled(), names[0] ?? ''), 'utf8')
  expect(first).toContain('432410000001')

  rmSync(join(settled(), names[0] ?? ''))
  await closeAll()
  const restarted = await start()
  await restarted.advance()
  expect(readdirSync(settled())).toEqual([names[1]])
  nowMs = Date.parse('2026-11-23T00:00:00Z')
  await restarted.advance()
  expect(readdirSync(settled()).toSorted()).toEqual([names[1], 'TOLLGATE-20261122.csv'])
})

test('a file that a killed host was writing is written again', async () => {
  const acquirer = await start()
  sell(acquirer, 1)
  nowMs = Date.parse('2026-11-21T00:00:00Z')
  await acquirer.advance()
  const name = join(settled(), 'TOLLGATE-20261120.csv')
  const written = readFileSync(name, 'utf8')
  await closeAll()
  rmSync(name)
  writeFileSync(join(settled(), '.TOLLGATE-20261120.csv.tmp'), written.slice(0, 10))
  const journal = readFileSync(join(folder, 'journal'), 'utf8').trimEnd().split('\n')
  expect(journal.pop()).toContain('"deliver"')
  writeFileSync(join(folder, 'journal'), `${journal.join('\n')}\n`)
  await (await start()).advance()
  expect(readdirSync(settled())).toEqual(['TOLLGATE-20261120.csv'])
  expect(readFileSync(name, 'utf8')).toBe(written)
})

test('files have the format of the options', async () => {
  const acquirer = await start({ settlementFormat: 'camt053' })
  sell(acquirer, 1)
  nowMs = Date.parse('2026-11-21T00:00:00Z')
  await acquirer.advance()
  expect(readdirSync(settled())).toEqual(['TOLLGATE-20261120.xml'])
})

test('after a leap of the clock, a bounded number of files is written at once', async () => {
  const acquirer = await start()
  sell(acquirer, 1)
  nowMs = Date.parse('2027-01-20T00:00:00Z')
  await acquirer.advance()
  expect(readdirSync(settled())).toHaveLength(limits.acquirerFilesMax)
  await acquirer.advance()
  expect(readdirSync(settled())).toHaveLength(61)
})

test('a file that cannot be written is tried again after a minute', async () => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  writeFileSync(settled(), 'a file in the place of the folder')
  const acquirer = await start()
  sell(acquirer, 1)
  nowMs = Date.parse('2026-11-21T00:00:00Z')
  await acquirer.advance()
  await acquirer.advance()
  expect(written.mock.calls).toEqual([[expect.stringContaining('a settlement file was not written')]])
  rmSync(settled())
  nowMs += limits.acquirerFileRetryMs
  await acquirer.advance()
  expect(readdirSync(settled())).toEqual(['TOLLGATE-20261120.csv'])
})
