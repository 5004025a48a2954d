import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig, type RunningGateway, startGateway } from '@tollgate/gateway'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand } from './testing/run-command.ts'

let folder = ''
let running: RunningGateway
const data = () => join(folder, 'data')
const copy = () => join(folder, 'copy.db')
const settings = () => ({ TOLLGATE_DATA: data(), TOLLGATE_LOG: 'silent', PORT: '0' })
const failure = (line: string, stdout = '') => ({ status: 1, stdout, stderr: `tollgate: ${line}\n` })

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-data-'))
  running = await startGateway(readConfig(settings()))
})
afterAll(async () => {
  await running.stop()
  rmSync(folder, { recursive: true })
})

test('backup copies the data of a running gateway, but not to an existing file and not from PostgreSQL', async () => {
  expect(await runCommand(['backup', copy()], settings())).toEqual({
    status: 0,
    stdout:
      `${copy()} holds all data. It does not contain the keys, which are required to decrypt its card numbers: ` +
      'keep a copy of the keys elsewhere.\n',
    stderr: '',
  })
  expect(statSync(copy()).mode & 0o777).toBe(0o600)
  expect(await runCommand(['backup', copy()], settings())).toEqual(failure(`${copy()} exists already: name a new file`))
  const nowhere = join(folder, 'nowhere', 'copy.db')
  expect((await runCommand(['backup', nowhere], settings())).stderr).toMatch(
    /^tollgate: ENOENT: no such file or directory.*\n$/,
  )
  expect(await runCommand(['backup', copy()], { ...settings(), TOLLGATE_DATABASE_URL: 'postgres://h/d' })).toEqual(
    failure('the data is in PostgreSQL: back it up with the tools of PostgreSQL, or unset TOLLGATE_DATABASE_URL'),
  )
})

test('archive needs a PostgreSQL database and a valid month', async () => {
  expect(await runCommand(['archive'], settings())).toEqual(
    failure('TOLLGATE_DATABASE_URL must name a PostgreSQL database: a SQLite file has no partitions'),
  )
  const { status, stderr } = await runCommand(['archive', '--before', '2025-13'], settings())
  expect(status).toBe(1)
  expect(stderr).toContain("argument '2025-13' is invalid. It must be a month, such as 2025-03; see --help")
})

test('doctor reports no findings for consistent data', async () => {
  const { status, stdout, stderr } = await runCommand(['doctor'], settings())
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^\d+ rows, 0 findings\n$/)
})

test('restore writes only to a folder with erasures.log and without data', async () => {
  const otherSettings = { ...settings(), TOLLGATE_DATA: join(folder, 'other') }
  expect((await runCommand(['restore', copy()], settings())).stderr).toMatch(/tollgate\.db exists already/)
  expect((await runCommand(['restore', copy()], otherSettings)).stderr).toMatch(
    /^tollgate: there is no erasures\.log in .*\n$/,
  )
  mkdirSync(otherSettings.TOLLGATE_DATA)
  for (const name of ['keys.json', 'erasures.log'])
    copyFileSync(join(data(), name), join(otherSettings.TOLLGATE_DATA, name))
  expect(await runCommand(['restore', copy()], otherSettings)).toEqual({
    status: 0,
    stdout:
      `${otherSettings.TOLLGATE_DATA} holds the data of ${copy()}. ` +
      'The next start replays erasures.log, if it exists: accounts erased since the backup are erased again.\n',
    stderr: '',
  })
  expect((await runCommand(['doctor'], otherSettings)).status).toBe(0)
})

test('migrate needs a database URL and a stopped gateway', async () => {
  expect(await runCommand(['migrate'], settings())).toEqual(
    failure('TOLLGATE_DATABASE_URL must name the empty PostgreSQL database to which the data is moved'),
  )
  const { stderr } = await runCommand(['migrate'], {
    ...settings(),
    TOLLGATE_DATABASE_URL: 'postgres://u:secret@127.0.0.1:1/d',
  })
  expect(stderr).toMatch(/^tollgate: .*tollgate\.db is in use .*; stop the gateway first\n$/)
})
