import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { composeDeliveries, rowJson, sandboxIds } from '@tollgate/operations'
import { fingerprintOf, parsePublicKey } from '@tollgate/sftp'
import { type BreakingProxy, createKeyPair, hasOpenSsh, type OpenSshServer } from '@tollgate/sftp/testing'
import { startOpenSshServer, startProxy } from '@tollgate/sftp/testing'
import type { SettlementRowRow } from '@tollgate/storage'
import { settlementFile, settlementRow } from '@tollgate/storage/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { testGateway, type TestGateway } from '../../testing/test-gateway.ts'

// Deliveries to OpenSSH's server, and settlement files that are pulled from it, by the whole gateway.

const canRun = hasOpenSsh()
let sshd: OpenSshServer
let proxy: BreakingProxy
let tollgate: TestGateway

beforeAll(async () => {
  if (!canRun) return
  sshd = await startOpenSshServer()
  proxy = await startProxy(sshd.port)
})
afterAll(async () => {
  if (!canRun) return
  await proxy.close()
  await sshd.close()
})
beforeEach(async () => {
  tollgate = await testGateway()
  tollgate.clock.nowMs = Date.UTC(2026, 5, 15, 12)
})
afterEach(async () => {
  await tollgate.gateway.jobs.stop()
  await tollgate.close()
})

const address = (hostKey = sshd.hostKey.publicKey) => ({
  host: '127.0.0.1',
  port: proxy.port,
  username: sshd.username,
  hostKeys: [hostKey],
})
const credentials = () => ({ privateKey: sshd.userKey.privateKey })
const pathOf = (...names: readonly string[]) => join(sshd.folder, ...names)
/** Creates a folder of the server for one test. */
function newFolder(name: string): string {
  mkdirSync(pathOf(name))
  return name
}

describe.runIf(canRun)('a delivery', () => {
  const ROWS = 6_000
  const create = async (folder: string, hostKey?: string): Promise<string> => {
    const target = { entityId: sandboxIds.merchant, purpose: 'reconciliationRecord', folder, fileName: '{day}.csv' }
    const body = { ...target, server: address(hostKey), credentials: credentials() }
    return (await tollgate.manage('POST', '/sftp-targets', body)).body.id
  }
  const shown = async (targetId: string) =>
    (await tollgate.manage('GET', `/sftp-deliveries/${targetId}-2026-06-15`)).body
  const runJobs = () => tollgate.gateway.jobs.fastForward(tollgate.clock.nowMs)

  /** Stores settled rows of the merchant, and makes the file with them the day after. */
  async function compose(): Promise<void> {
    const { storage } = tollgate.gateway
    await storage.commit({ id: 'file', expectedVersions: [], rows: { settlement_file: [file] } })
    for (let start = 0; start < ROWS; start += 1_000) {
      const rows = Array.from({ length: 1_000 }, (_, index) => settledRow(start + index + 1))
      await storage.commit({ id: `rows ${start}`, expectedVersions: [], rows: { settlement_row: rows } })
    }
    tollgate.clock.nowMs = Date.UTC(2026, 5, 16, 7)
    const task = composeDeliveries(tollgate.gateway)
    while ((await task.step()) === 'more');
  }

  test('that is broken off twice is resumed, and no part of the file is ever seen under its name', async () => {
    const folder = newFolder('records')
    const targetId = await create(folder)
    await compose()
    const { sizeBytes } = await shown(targetId)
    expect(sizeBytes).toBeGreaterThan(1_500_000)
    const sizes = new Set<number>()
    const seen = watch(folder, '2026-06-15.csv', sizes)
    proxy.breakAfter(1_000_000)
    await runJobs()
    expect(await shown(targetId)).toMatchObject({ state: 'waiting', attempts: 1 })
    const part = `.2026-06-15.csv.${targetId}-2026-06-15.part`
    await expect.poll(() => readdirSync(pathOf(folder))).toEqual([part])
    expect(statSync(pathOf(folder, part)).size).toBeGreaterThan(400_000)
    tollgate.clock.nowMs += 120_000
    proxy.breakAfter(200_000)
    await runJobs()
    expect(await shown(targetId)).toMatchObject({ state: 'waiting', attempts: 2 })
    // The last attempt sends less than the whole file, because it resumes what the first one has sent.
    tollgate.clock.nowMs += 600_000
    proxy.breakAfter(sizeBytes - 100_000)
    await runJobs()
    expect(await shown(targetId)).toMatchObject({ state: 'delivered', rows: ROWS })
    await seen.end()
    expect([...sizes]).toEqual([sizeBytes])
    expect(readdirSync(pathOf(folder))).toEqual(['2026-06-15.csv'])
    const lines = readFileSync(pathOf(folder, '2026-06-15.csv'), 'utf8').trimEnd().split('\n')
    expect([lines.length, new Set(lines).size]).toEqual([ROWS + 1, ROWS + 1])
  })

  test('to a server with another host key fails for this reason, before it authenticates', async () => {
    const folder = newFolder('wrong-key')
    const digest = parsePublicKey(createKeyPair(sshd.folder, '../other').publicKey)?.digest ?? Buffer.alloc(0)
    const before = sshd.log().length
    const targetId = await create(folder, fingerprintOf(digest))
    await compose()
    await runJobs()
    expect(await shown(targetId)).toMatchObject({
      state: 'parked',
      attempts: 1,
      lastError: expect.stringMatching(/^hostKey: /),
    })
    expect(sshd.log().slice(before)).not.toMatch(/userauth|Accepted|Failed/)
    expect(readdirSync(pathOf(folder))).toEqual([])
    const path = `/sftp-targets/${targetId}`
    expect((await tollgate.manage('PATCH', path, { server: address() })).status).toBe(409)
    await tollgate.manage('PATCH', path, { server: address(), credentials: credentials() })
    await tollgate.manage('POST', `/sftp-deliveries/${targetId}-2026-06-15/repeat`)
    await runJobs()
    expect(readdirSync(pathOf(folder))).toEqual(['2026-06-15.csv'])
  })

  test('replaces no file of the server that has another content', async () => {
    const folder = newFolder('occupied')
    writeFileSync(pathOf(folder, '2026-06-15.csv'), 'of the merchant')
    const targetId = await create(folder)
    await compose()
    await runJobs()
    expect(await shown(targetId)).toMatchObject({ state: 'parked', lastError: expect.stringMatching(/^exists: /) })
    expect(readFileSync(pathOf(folder, '2026-06-15.csv'), 'utf8')).toBe('of the merchant')
    expect(readdirSync(pathOf(folder))).toEqual(['2026-06-15.csv'])
  })

  test('to the address of a private network is not attempted', async () => {
    const refused = { ...address(), host: '10.1.2.3' }
    const body = { entityId: sandboxIds.merchant, purpose: 'reconciliationRecord', server: refused }
    const { status, text } = await tollgate.manage('POST', '/sftp-targets', { ...body, credentials: credentials() })
    expect([status, text]).toEqual([400, expect.stringContaining('body/server/host is not permitted')])
    expect(text).not.toContain('10.1.2.3')
  })
})

describe.runIf(canRun)('settlement files', () => {
  const create = async (folder: string, changes: object = {}): Promise<string> => {
    const body = { server: address(), credentials: credentials(), folder, ...changes }
    return (await tollgate.manage('POST', '/settlement-sources', body)).body.id
  }
  const outcomes = async (id: string) => {
    const { files } = (await tollgate.manage('GET', `/settlement-sources/${id}/files`)).body
    return Object.fromEntries(files.map((file: Record<string, unknown>) => [file['name'], file['outcome']]))
  }
  const received = async () => (await tollgate.manage('GET', '/settlement-files')).body.files
  const pollOf = async (id: string) => (await tollgate.manage('GET', `/settlement-sources/${id}`)).body.poll
  /** Lets the time pass after which files are taken, and waits until the source was polled. */
  async function pollAgain(id: string): Promise<void> {
    const dueAtMs = async () => Date.parse((await pollOf(id)).dueAt)
    // The poll before may still be in progress.
    await expect.poll(dueAtMs, { timeout: 30_000 }).toBeGreaterThan(tollgate.clock.nowMs)
    const before = await dueAtMs()
    tollgate.clock.nowMs += 30_000
    await tollgate.manage('POST', `/settlement-sources/${id}/pull`)
    await expect.poll(dueAtMs, { timeout: 30_000 }).toBeGreaterThan(Math.max(before, tollgate.clock.nowMs))
  }

  test('are pulled from the server and moved; links, archives and unfinished files are not taken', async () => {
    const folder = newFolder('settlement')
    mkdirSync(pathOf(folder, 'done'))
    const content = randomBytes(700_000).toString('hex')
    writeFileSync(pathOf(folder, 'north.csv'), content)
    writeFileSync(pathOf(folder, 'packed.csv'), gzipSync(content))
    writeFileSync(pathOf(folder, '.hidden.csv'), content)
    writeFileSync(pathOf(folder, 'south.csv.part'), content)
    symlinkSync('/etc/hostname', pathOf(folder, 'link.csv'))
    tollgate.gateway.jobs.start()
    const id = await create(folder, { afterReading: { moveTo: `${folder}/done` } })
    await expect.poll(async () => outcomes(id), { timeout: 30_000 }).toEqual({ 'link.csv': 'notRegular' })
    await pollAgain(id)
    expect(await outcomes(id)).toEqual({
      'link.csv': 'notRegular',
      'north.csv': 'received',
      'packed.csv': 'archive',
    })
    expect(await received()).toMatchObject([{ name: 'north.csv', arrivedBy: 'sftp', sizeBytes: content.length }])
    const [moved = ''] = readdirSync(pathOf(folder, 'done'))
    expect(moved).toMatch(/^\d{13}-north\.csv$/)
    expect(readFileSync(pathOf(folder, 'done', moved), 'utf8')).toBe(content)
    expect(existsSync(pathOf(folder, 'north.csv'))).toBe(false)
  })

  test('of a server with another host key are not pulled, and wait for an operator', async () => {
    const folder = newFolder('wrong-source')
    writeFileSync(pathOf(folder, 'north.csv'), 'one')
    const digest = parsePublicKey(createKeyPair(sshd.folder, '../another').publicKey)?.digest ?? Buffer.alloc(0)
    tollgate.gateway.jobs.start()
    const id = await create(folder, { server: address(fingerprintOf(digest)) })
    await expect
      .poll(async () => pollOf(id), { timeout: 30_000 })
      .toMatchObject({
        state: 'parked',
        lastError: expect.stringMatching(/^hostKey: /),
      })
    expect(await received()).toEqual([])
  })
})

const FILE_ID = 'f'.repeat(32)
const file = settlementFile(FILE_ID, {
  digest: FILE_ID.repeat(2),
  state: 'read',
  format: 'tollgate-csv',
  institute: 'North',
})

/** A settled row of the sandbox's merchant. */
function settledRow(number: number): SettlementRowRow {
  const row: Parameters<typeof rowJson>[0] = {
    kind: 'SETTLED',
    type: 'DEBIT',
    cashflow: 'POS',
    clearingMerchantId: 'NORTH0000000001',
    settlementId: `S${number}`,
    amountMinor: 9_200,
    currency: 'EUR',
    settlementAmountMinor: 9_200,
    settlementCurrency: 'EUR',
    presentedAtMs: Date.UTC(2026, 5, 14, 12),
    settledOn: '2026-06-15',
    status: 'SUCCESS',
    line: number,
  }
  return settlementRow(number, {
    file_id: FILE_ID,
    merchant: sandboxIds.merchant,
    channel: sandboxIds.channel,
    status: 'NOT_MATCHED',
    transaction_id: null,
    settled_on: '2026-06-15',
    row: rowJson(row, undefined),
  })
}

/** Notes each size of a file under its name, until it ends. */
function watch(folder: string, name: string, sizes: Set<number>) {
  let isEnded = false
  async function poll(): Promise<void> {
    while (!isEnded) {
      const path = pathOf(folder, name)
      if (existsSync(path)) sizes.add(statSync(path).size)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const polling = poll()
  return {
    async end() {
      isEnded = true
      await polling
    },
  }
}
