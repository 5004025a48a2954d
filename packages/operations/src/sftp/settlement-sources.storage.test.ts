import { gzipSync } from 'node:zlib'
import { DAY_MS, MINUTE_MS } from '@tollgate/contract'
import { testGateway, type TestGateway } from '@tollgate/gateway/testing'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { limits } from '../limits.ts'
import { readFiles } from '../settlement/read-files.task.ts'
import { useClearedConnector } from '../testing/cleared-connector.ts'
import { type MemorySftp, targetOf, useMemorySftp } from '../testing/memory-sftp.ts'
import { runToEnd, settlementFileOf, settlementRowOf } from '../testing/settlement-files.ts'
import { pullFiles } from './pull-files.job.ts'

// Settlement files that are pulled from an acquirer's server.

let tollgate: TestGateway
let server: MemorySftp
let pulls: ReturnType<typeof pullFiles>
beforeEach(async () => {
  tollgate = await testGateway()
  tollgate.clock.nowMs = Date.UTC(2026, 5, 16, 12)
  useClearedConnector(tollgate)
  server = useMemorySftp(tollgate)
  pulls = pullFiles(tollgate.gateway)
})
afterEach(() => tollgate.close())

const SECRET = 'a long password'
const sourceOf = (changes: object = {}) => {
  const { server: address, folder, credentials } = targetOf('')
  return { server: address, folder, credentials, ...changes }
}
const post = (changes: object = {}) => tollgate.manage('POST', '/settlement-sources', sourceOf(changes))
const create = async (changes: object = {}): Promise<string> => (await post(changes)).body.id
const shown = async (id: string) => (await tollgate.manage('GET', `/settlement-sources/${id}`)).body
const filesOf = async (id: string) => (await tollgate.manage('GET', `/settlement-sources/${id}/files`)).body.files
const received = async () => (await tollgate.manage('GET', '/settlement-files')).body.files

/** Runs the job of a source, if it is due. @returns its outcome */
async function poll(id: string, signal = new AbortController().signal, kind = pulls): Promise<string> {
  const { storage, clock } = tollgate.gateway
  const [job] = await storage.leaseJobs('settlement-pull', '', clock.now(), 1, 60_000)
  return job?.id === id ? kind.run(job, signal) : 'no job is due'
}
const pass = (ms: number) => {
  tollgate.clock.nowMs += ms
}
/** Polls twice, so that the files are known not to change. */
async function pull(id: string): Promise<string> {
  await poll(id)
  pass(limits.pullStableMs)
  return poll(id)
}
function put(name: string, content: Buffer): void {
  server.files.set(`/in/${name}`, { content, modifiedAtMs: tollgate.clock.nowMs })
}
const fileOf = (fileId: string, settlementId = 'S1') =>
  settlementFileOf([settlementRowOf({ settlementId })], { fileId })

test('a source is created, listed, shown, changed and deleted, without its credentials', async () => {
  const { status, body, text } = await post()
  expect(status).toBe(201)
  expect(body).toMatchObject({
    server: { host: '127.0.0.1', port: 2222, username: 'tollgate' },
    folder: '/in',
    names: '*',
    everyMinutes: 15,
    afterReading: 'keep',
    state: 'enabled',
    poll: { state: 'waiting', dueAt: '2026-06-16T12:00:00.000Z', failedAttempts: 0 },
  })
  const path = `/settlement-sources/${body.id}`
  const list = await tollgate.manage('GET', '/settlement-sources')
  expect(list.body).toEqual({ sources: [body], total: 1 })
  const changed = await tollgate.manage('PATCH', path, { names: 'N*.csv', afterReading: { moveTo: '/done' } })
  expect(changed.body).toMatchObject({ names: 'N*.csv', afterReading: { moveTo: '/done' }, folder: '/in' })
  expect((await tollgate.manage('GET', '/sftp-targets')).body.total).toBe(0)
  expect((await tollgate.manage('GET', `/sftp-targets/${body.id}`)).status).toBe(404)
  expect((await tollgate.manage('DELETE', path)).body).toEqual({ id: body.id, state: 'deleted' })
  expect((await tollgate.manage('GET', path)).status).toBe(404)
  expect(await tollgate.gateway.storage.job(body.id)).toBeUndefined()
  const shownTexts = [text, list.text, changed.text, JSON.stringify(tollgate.logged)].join('')
  expect(shownTexts).not.toContain(SECRET)
})

test('another server needs the credentials again', async () => {
  const id = await create()
  const changed = { ...targetOf('').server, host: '127.0.0.2' }
  const path = `/settlement-sources/${id}`
  expect((await tollgate.manage('PATCH', path, { server: changed })).status).toBe(409)
  const credentials = { password: 'another one' }
  expect((await tollgate.manage('PATCH', path, { server: changed, credentials })).status).toBe(200)
  await poll(id)
  expect(server.connections).toEqual([{ ...changed, ...credentials }])
})

test.each([
  ['server/host is not permitted', { server: { ...targetOf('').server, host: '10.0.0.1' } }],
  ['afterReading/moveTo must be another folder', { afterReading: { moveTo: '/in/' } }],
  ['afterReading', { afterReading: 'delete' }],
  ['everyMinutes', { everyMinutes: 0 }],
  ['names', { names: '' }],
  ['credentials', { credentials: undefined }],
  ['body', { entityId: '0'.repeat(32) }],
])('an invalid %s is refused', async (place, changes) => {
  const { status, body } = await post(changes)
  expect([status, body.error.message]).toEqual([400, expect.stringContaining(place)])
})

test('files are received once they do not change any more, and each version once', async () => {
  const id = await create()
  put('north.csv', fileOf('F1').subarray(0, 100))
  await poll(id)
  pass(limits.pullStableMs)
  put('north.csv', fileOf('F1'))
  await poll(id)
  expect(await received()).toEqual([])
  pass(limits.pullStableMs)
  expect(await poll(id)).toBe('took 1 files')
  await runToEnd(readFiles(tollgate.gateway))
  const [file] = await received()
  expect(file).toMatchObject({ name: 'north.csv', arrivedBy: 'sftp', state: 'read', rows: 1 })
  expect(await filesOf(id)).toMatchObject([{ name: 'north.csv', outcome: 'received', settlementFileId: file.id }])
  expect(await poll(id)).toBe('no job is due')
  pass(15 * MINUTE_MS)
  expect(await poll(id)).toBe('took 0 files')
  put('north-again.csv', fileOf('F1'))
  pass(15 * MINUTE_MS)
  await pull(id)
  expect(await filesOf(id)).toMatchObject([
    { name: 'north-again.csv', outcome: 'repeated', settlementFileId: file.id },
    { name: 'north.csv', outcome: 'received' },
  ])
  expect(await received()).toHaveLength(1)
})

test('another process takes no file again', async () => {
  const id = await create()
  put('north.csv', fileOf('F1'))
  await pull(id)
  pulls = pullFiles(tollgate.gateway)
  await tollgate.manage('POST', `/settlement-sources/${id}/pull`)
  await pull(id)
  expect(await filesOf(id)).toMatchObject([{ outcome: 'received' }])
})

test('two processes that take a file at the same moment store it once', async () => {
  const id = await create()
  put('north.csv', fileOf('F1'))
  const { signal } = new AbortController()
  const other = pullFiles(tollgate.gateway)
  for (const kind of [pulls, other]) {
    await tollgate.manage('POST', `/settlement-sources/${id}/pull`)
    await poll(id, signal, kind)
  }
  pass(limits.pullStableMs)
  const { storage, clock } = tollgate.gateway
  const [job] = await storage.leaseJobs('settlement-pull', '', clock.now(), 1, 60_000)
  if (!job) throw new Error('no job is due')
  // Both have the lease, as after a lease that ended during the work.
  const outcomes = await Promise.all([pulls.run(job, signal), other.run(job, signal)])
  expect(outcomes.toSorted()).toEqual(['changed concurrently', expect.stringMatching(/^took [01] files$/)])
  pass(15 * MINUTE_MS)
  await pull(id)
  expect(await received()).toHaveLength(1)
  expect(await filesOf(id)).toHaveLength(1)
})

test('links, archives, empty files and those with other names are not taken', async () => {
  const id = await create({ names: '*.csv' })
  put('a-link.csv', fileOf('F1'))
  server.links.add('/in/a-link.csv')
  put('b-archive.csv', gzipSync(fileOf('F2')))
  put('c-empty.csv', Buffer.alloc(0))
  put('d.csv', fileOf('F3'))
  for (const name of ['e.xml', '.hidden.csv', 'f.csv.part', 'g.csv.tmp']) put(name, fileOf('F4'))
  await pull(id)
  const files = await filesOf(id)
  expect(Object.fromEntries(files.map((file: Record<string, unknown>) => [file['name'], file['outcome']]))).toEqual({
    'a-link.csv': 'notRegular',
    'b-archive.csv': 'archive',
    'c-empty.csv': 'empty',
    'd.csv': 'received',
  })
  expect(await received()).toHaveLength(1)
  const refusals = () => tollgate.logged.filter((line) => 'settlementSource' in line)
  expect(refusals()).toHaveLength(3)
  pass(15 * MINUTE_MS)
  await pull(id)
  expect(refusals()).toHaveLength(3)
})

test('nothing is stored of a file whose transfer breaks off or that changes meanwhile', async () => {
  const id = await create()
  const content = settlementFileOf(Array.from({ length: 8_000 }, (_, n) => settlementRowOf({ settlementId: `S${n}` })))
  put('north.csv', content)
  const { storage } = tollgate.gateway
  const stored = new Set<string>()
  const commit = storage.commit.bind(storage)
  vi.spyOn(storage, 'commit').mockImplementation((unit) => {
    for (const { content_id: contentId } of unit.rows.settlement_content ?? []) stored.add(contentId)
    return commit(unit)
  })
  await poll(id)
  pass(limits.pullStableMs)
  server.breakAfterBytes = 800_000
  expect(await poll(id)).toBe('failed: closed: The connection was closed.')
  expect((await shown(id)).poll).toMatchObject({ failedAttempts: 1, lastError: 'closed: The connection was closed.' })
  server.breakAfterBytes = undefined
  server.onFetch = () => put('north.csv', fileOf('F2'))
  pass(16 * MINUTE_MS)
  await poll(id)
  expect(await filesOf(id)).toMatchObject([{ outcome: 'changed' }])
  expect(await received()).toEqual([])
  expect(stored.size).toBe(2)
  for (const contentId of stored) expect(await tollgate.gateway.storage.settlementContent(contentId, 1)).toBeUndefined()
  server.onFetch = () => undefined
  pass(15 * MINUTE_MS)
  await pull(id)
  expect(await received()).toHaveLength(1)
})

test('a file that may not be read is tried again at each poll', async () => {
  const id = await create()
  put('north.csv', fileOf('F1'))
  server.faults.set('/in/north.csv', { kind: 'permission', message: 'The server refused to read the file.' })
  await pull(id)
  expect(await filesOf(id)).toMatchObject([{ outcome: 'permission' }])
  server.faults.clear()
  pass(15 * MINUTE_MS)
  await pull(id)
  expect(await filesOf(id)).toMatchObject([{ outcome: 'received' }])
})

describe('files that were read', () => {
  test('are moved to a folder', async () => {
    const id = await create({ afterReading: { moveTo: '/done' } })
    put('north.csv', fileOf('F1'))
    put('not-one.csv', Buffer.alloc(0))
    await pull(id)
    expect([...server.files.keys()]).toEqual(['/in/not-one.csv', `/done/${tollgate.clock.nowMs}-north.csv`])
  })

  test('stay if the folder is missing, are shown as such, and moved later', async () => {
    const id = await create({ afterReading: { moveTo: '/done' } })
    put('north.csv', fileOf('F1'))
    server.faults.set('/done', { kind: 'noSuchFile', message: 'There is no such folder.' })
    await pull(id)
    expect((await shown(id)).poll.lastError).toBe('a file was not moved: noSuchFile: There is no such folder.')
    expect(await filesOf(id)).toMatchObject([{ outcome: 'received' }])
    server.faults.clear()
    pass(15 * MINUTE_MS)
    await poll(id)
    expect((await shown(id)).poll.lastError).toBeUndefined()
    expect([...server.files.keys()]).toEqual([`/done/${tollgate.clock.nowMs}-north.csv`])
  })
})

describe('a poll that fails', () => {
  test('is repeated with growing waits, at most once in a period, then dead-lettered', async () => {
    const id = await create()
    server.fault = { kind: 'connection', message: 'There is no connection.' }
    await poll(id)
    const waitMs = Date.parse((await shown(id)).poll.dueAt) - tollgate.clock.nowMs
    expect(waitMs).toBe(15 * MINUTE_MS)
    for (let attempt = 0; attempt < 12; attempt += 1) {
      pass(14 * DAY_MS)
      await poll(id)
    }
    expect((await shown(id)).poll).toMatchObject({ state: 'parked', failedAttempts: 11 })
    server.fault = undefined
    expect((await tollgate.manage('POST', `/settlement-sources/${id}/pull`)).status).toBe(202)
    expect(await poll(id)).toBe('took 0 files')
    expect((await shown(id)).poll).toMatchObject({ state: 'waiting', failedAttempts: 0 })
  })

  test.each(['hostKey', 'address', 'invalid', 'tooLarge'] as const)(
    'for the reason %s waits for an operator, and is repeated after a change',
    async (kind) => {
      const id = await create()
      server.fault = { kind, message: 'No.' }
      await poll(id)
      expect((await shown(id)).poll).toMatchObject({ state: 'parked', lastError: `${kind}: No.` })
      await tollgate.manage('PATCH', `/settlement-sources/${id}`, { everyMinutes: 60 })
      server.fault = undefined
      expect(await poll(id)).toBe('took 0 files')
    },
  )

  test('because the process stops is left to another one', async () => {
    const id = await create()
    server.fault = { kind: 'cancelled', message: 'The transfer was cancelled.' }
    expect(await poll(id, AbortSignal.abort())).toBe('was interrupted')
    server.fault = undefined
    expect(await poll(id)).toBe('took 0 files')
  })
})

test('a disabled source is not connected to', async () => {
  const id = await create({ state: 'disabled' })
  await poll(id)
  expect(server.connections).toEqual([])
  expect((await tollgate.manage('POST', `/settlement-sources/${id}/pull`)).status).toBe(409)
  await tollgate.manage('PATCH', `/settlement-sources/${id}`, { state: 'enabled' })
  await poll(id)
  expect(server.connections).toHaveLength(1)
})

test('a poll takes a bounded number of files, and the next one the others', async () => {
  const id = await create()
  const count = limits.pulledFilesMax + 2
  for (let number = 0; number < count; number += 1) put(`${number}.csv`, Buffer.alloc(0))
  await pull(id)
  expect(await tollgate.gateway.storage.pulledFilesAfter(id, '', 2_000)).toHaveLength(limits.pulledFilesMax)
  pass(limits.pullStableMs)
  await pull(id)
  expect(await tollgate.gateway.storage.pulledFilesAfter(id, '', 2_000)).toHaveLength(count)
})

test('a fast-forward makes no polls', async () => {
  await create()
  const report = await tollgate.gateway.jobs.fastForward(tollgate.clock.nowMs + 30 * DAY_MS)
  expect(report).toMatchObject({ isComplete: true, entries: [] })
  expect(server.connections).toEqual([])
})

test('the test of a source lists the folder', async () => {
  const id = await create()
  const path = `/settlement-sources/${id}/test`
  expect((await tollgate.manage('POST', path)).body).toMatchObject({ succeeded: true })
  server.fault = { kind: 'authentication', message: 'The server did not accept the credentials.' }
  expect((await tollgate.manage('POST', path)).body).toMatchObject({ succeeded: false, error: server.fault })
  expect(server.files.size).toBe(0)
})
