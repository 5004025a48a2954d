import { HOUR_MS } from '@tollgate/contract'
import type { TestGateway } from '@tollgate/gateway/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sandboxIds } from '../directory/sandbox.ts'
import { recordChargebacks } from '../settlement/record-chargebacks.task.ts'
import { rowIn, rowJson } from '../settlement/stored-row.ts'
import { limits } from '../limits.ts'
import { readFiles } from '../settlement/read-files.task.ts'
import { clearedGateway } from '../testing/cleared-connector.ts'
import { type MemorySftp, targetOf, useMemorySftp } from '../testing/memory-sftp.ts'
import { payCleared, postAll, runToEnd, settlementFileOf, settlementRowOf } from '../testing/settlement-files.ts'
import { composeDeliveries } from './compose-deliveries.task.ts'
import { eraseDelivered } from './erase-delivered.task.ts'

// Reconciliation records on the way to a merchant's server.

let tollgate: TestGateway
let server: MemorySftp
beforeEach(async () => {
  tollgate = await clearedGateway()
  server = useMemorySftp(tollgate)
})
afterEach(() => tollgate.close())

const create = async (changes: object = {}): Promise<string> =>
  (await tollgate.manage('POST', '/sftp-targets', targetOf(sandboxIds.merchant, changes))).body.id
let files = 0
/** Settles payments, each in a row of one file. */
async function settle(rows: readonly Parameters<typeof settlementRowOf>[0][]): Promise<void> {
  files += 1
  const content = settlementFileOf(rows.map(settlementRowOf), { fileId: `F${files}` })
  await tollgate.manage('POST', '/settlement-files', content)
  await runToEnd(readFiles(tollgate.gateway))
}
/** Stores rows for more than two parts of a file. @returns their settlement ids, in order */
async function settleMany(): Promise<readonly string[]> {
  const paid = await payCleared(tollgate)
  await postAll(tollgate)
  await settle([{ connectorTxId1: paid.reference, settlementId: 'S0001' }])
  const { storage } = tollgate.gateway
  const [file] = (await tollgate.manage('GET', '/settlement-files')).body.files
  const first = await storage.settlementRow(file.id, 1)
  if (!first) throw new Error('no row is stored')
  const copies = Array.from({ length: 2 * limits.deliveredRowsPerPart + 1 }, (_, index) => {
    const settlementId = `S${String(index + 2).padStart(4, '0')}`
    return { ...first, number: index + 2, row: rowJson({ ...rowIn(first), settlementId }, undefined) }
  })
  await storage.commit({ id: 'many', expectedVersions: [], rows: { settlement_row: copies } })
  return [first, ...copies].map((row) => rowIn(row).settlementId ?? '')
}
const compose = () => runToEnd(composeDeliveries(tollgate.gateway))
const atHour = (day: number, hour: number) => {
  tollgate.clock.nowMs = Date.UTC(2026, 5, day, hour)
}
/** Runs the jobs that are due. */
const runJobs = () => tollgate.gateway.jobs.fastForward(tollgate.gateway.clock.now())
/** Makes the files that are due and transfers them. */
async function deliver(): Promise<void> {
  await compose()
  await runJobs()
}
const pathOf = (day: string) => `/in/reconciliation-${sandboxIds.merchant}-${day}.csv`
/** The values of a column of a delivered file. */
function column(day: string, name: string) {
  const content = server.files.get(pathOf(day))?.content.toString()
  const [header, ...lines] =
    content
      ?.trimEnd()
      .split('\n')
      .map((line) => line.split(';')) ?? []
  return lines.map((line) => line[header?.indexOf(name) ?? -1])
}
const deliveries = async (targetId: string) =>
  (await tollgate.manage('GET', `/sftp-deliveries?targetId=${targetId}`)).body.deliveries

test('each day has a file from the hour of the schedule on, with the rows that are known then', async () => {
  const targetId = await create()
  const [first, second] = [await payCleared(tollgate), await payCleared(tollgate)]
  await postAll(tollgate)
  await settle([{ connectorTxId1: first.reference }])
  atHour(16, 5)
  await deliver()
  expect(server.files.size).toBe(0)
  atHour(16, 6)
  await deliver()
  expect([...server.files.keys()]).toEqual([pathOf('2026-06-15')])
  expect(column('2026-06-15', 'UniqueID')).toEqual([first.id])
  await settle([{ connectorTxId1: second.reference }])
  await deliver()
  expect(server.files.size).toBe(1)
  atHour(17, 7)
  await deliver()
  expect(column('2026-06-16', 'UniqueID')).toEqual([second.id])
  atHour(18, 7)
  await deliver()
  expect(column('2026-06-17', 'UniqueID')).toEqual([])
  expect(await deliveries(targetId)).toMatchObject([
    { day: '2026-06-17', state: 'delivered', rows: 0 },
    { day: '2026-06-16', state: 'delivered', rows: 1 },
    { id: `${targetId}-2026-06-15`, day: '2026-06-15', state: 'delivered', rows: 1 },
  ])
})

test('files have the columns of the options of their target', async () => {
  const targetId = await create()
  const paid = [
    await payCleared(tollgate, { merchantMemo: 'the first order' }),
    await payCleared(tollgate, { merchantMemo: 'the second order' }),
  ]
  await postAll(tollgate)
  await settle([{ connectorTxId1: paid[0]?.reference }])
  atHour(16, 7)
  await deliver()
  expect(server.files.get(pathOf('2026-06-15'))?.content.toString()).not.toMatch(/memo|first/i)
  await tollgate.manage('PATCH', `/sftp-targets/${targetId}`, { merchantMemo: true })
  await settle([{ connectorTxId1: paid[1]?.reference }])
  atHour(17, 7)
  await deliver()
  expect(column('2026-06-16', 'MerchantMemo')).toEqual(['the second order'])
})

test('a row that is matched later is in the next file, too; so is a match that is undone and repeated', async () => {
  await create()
  const paid = await payCleared(tollgate)
  await postAll(tollgate)
  await settle([{ connectorTxId1: 'UNKNOWN' }])
  const [file] = (await tollgate.manage('GET', '/settlement-files')).body.files
  const match = `/settlement-files/${file.id}/rows/1/match`
  const matchIt = () => tollgate.manage('PUT', match, { transactionId: paid.id, reason: 'confirmed' })
  atHour(16, 7)
  await deliver()
  expect(column('2026-06-15', 'UniqueID')).toEqual([''])
  await matchIt()
  atHour(17, 7)
  await deliver()
  expect(column('2026-06-16', 'UniqueID')).toEqual([paid.id])
  await tollgate.manage('DELETE', match, { reason: 'mistake' })
  await matchIt()
  atHour(18, 7)
  await deliver()
  expect(column('2026-06-17', 'UniqueID')).toEqual([paid.id])
})

test('a chargeback is delivered once, with its id, after it was recorded', async () => {
  await create()
  const paid = await payCleared(tollgate)
  await postAll(tollgate)
  await settle([
    { connectorTxId1: paid.reference },
    { kind: 'CHARGEBACK', cashflow: 'NEG', connectorTxId1: paid.reference, reason: '4837', dueOn: '2026-07-16' },
  ])
  atHour(16, 7)
  await deliver()
  expect(column('2026-06-15', 'ReconciliationType')).toEqual(['SETTLED'])
  await runToEnd(recordChargebacks(tollgate.gateway))
  atHour(17, 7)
  await deliver()
  expect(column('2026-06-16', 'ReconciliationType')).toEqual(['CHARGEBACK'])
  expect(column('2026-06-16', 'ChargebackId')?.[0]).toMatch(/^[0-9a-f]{32}$/)
})

test('a chargeback without a match is delivered at once', async () => {
  await create()
  await settle([{ kind: 'CHARGEBACK', cashflow: 'NEG', connectorTxId1: 'UNKNOWN', reason: '4837' }])
  atHour(16, 7)
  await deliver()
  expect(column('2026-06-15', 'MatchingStatus')).toEqual(['NOT_MATCHED'])
})

test('a merchant has one target: its own, or the nearest above', async () => {
  await create({ entityId: sandboxIds.psp })
  await create({ entityId: sandboxIds.division, fileName: '{day}-division.csv' })
  const paid = await payCleared(tollgate)
  await postAll(tollgate)
  await settle([{ connectorTxId1: paid.reference }])
  atHour(16, 7)
  await deliver()
  const sizes = [...server.files].map(([path, { content }]) => [path, content.toString().split('\n').length - 2])
  expect(Object.fromEntries(sizes)).toEqual({
    [`/in/reconciliation-${sandboxIds.psp}-2026-06-15.csv`]: 0,
    '/in/2026-06-15-division.csv': 1,
  })
})

describe('a failed transfer', () => {
  const failing = async () => {
    const targetId = await create()
    server.fault = { kind: 'connection', message: 'There is no connection.' }
    atHour(16, 7)
    await deliver()
    return targetId
  }

  test('is tried again with growing waits, then dead-lettered, and repeated by an operator', async () => {
    const targetId = await failing()
    const [waiting] = await deliveries(targetId)
    expect(waiting).toMatchObject({
      state: 'waiting',
      attempts: 1,
      lastError: 'connection: There is no connection.',
    })
    const nextAtMs = Date.parse(waiting.dueAt) - tollgate.clock.nowMs
    expect(nextAtMs).toBeGreaterThanOrEqual(60_000)
    expect(nextAtMs).toBeLessThanOrEqual(66_000)
    tollgate.clock.nowMs += 100 * HOUR_MS
    for (let run = 0; run < 12; run += 1) {
      tollgate.clock.nowMs += 14 * HOUR_MS
      await runJobs()
    }
    const [parked] = await deliveries(targetId)
    expect(parked).toMatchObject({ state: 'parked', attempts: 11 })
    const { body } = await tollgate.manage('GET', '/jobs/parked')
    expect(body.jobs).toMatchObject([{ kind: 'file-delivery', subjectId: parked.id }])
    server.fault = undefined
    expect((await tollgate.manage('POST', `/sftp-deliveries/${parked.id}/repeat`)).body.state).toBe('waiting')
    await runJobs()
    expect((await deliveries(targetId))[0]).toMatchObject({ state: 'delivered', rows: 0 })
    expect(server.files.has(pathOf('2026-06-15'))).toBe(true)
  })

  test.each(['hostKey', 'address', 'exists', 'invalid'] as const)(
    'with the kind %s is dead-lettered at once',
    async (kind) => {
      const targetId = await create()
      server.fault = { kind, message: 'No.' }
      atHour(16, 7)
      await deliver()
      expect((await deliveries(targetId))[0]).toMatchObject({ state: 'parked', attempts: 1, lastError: `${kind}: No.` })
    },
  )

  test('prevents the deletion of its target', async () => {
    const targetId = await failing()
    expect((await tollgate.manage('DELETE', `/sftp-targets/${targetId}`)).status).toBe(409)
    server.fault = undefined
    tollgate.clock.nowMs += HOUR_MS
    await runJobs()
    expect((await tollgate.manage('DELETE', `/sftp-targets/${targetId}`)).status).toBe(200)
  })

  test('is counted', async () => {
    await failing()
    const counted = tollgate.gateway.counts.deliveries.entries()
    expect(counted).toContainEqual({ labels: ['file-delivery', 'failed', ''], count: 1 })
  })
})

test('a transfer that was broken off is resumed at its place, and appears when it is complete', async () => {
  const targetId = await create()
  const settlementIds = await settleMany()
  atHour(16, 7)
  server.breakAfterBytes = 150_000
  const seen: boolean[] = []
  for (let attempt = 0; attempt < 3; attempt += 1) {
    await deliver()
    seen.push(server.files.has(pathOf('2026-06-15')))
    tollgate.clock.nowMs += HOUR_MS
  }
  const [delivery] = await deliveries(targetId)
  expect(delivery).toMatchObject({ state: 'delivered', rows: settlementIds.length })
  expect(server.sentFrom).toEqual([...server.sentFrom].toSorted((a, b) => a - b))
  expect([server.sentFrom[0], new Set(server.sentFrom).size]).toEqual([0, server.sentFrom.length])
  expect(seen.indexOf(true)).toBe(server.sentFrom.length - 1)
  expect(column('2026-06-15', 'SettlementTxId')).toEqual(settlementIds)
})

test('a delivered file is delivered again for a month, with the same bytes', async () => {
  const targetId = await create()
  const paid = await payCleared(tollgate)
  await postAll(tollgate)
  await settle([{ connectorTxId1: paid.reference }])
  atHour(16, 7)
  await deliver()
  const first = server.files.get(pathOf('2026-06-15'))?.content
  server.files.clear()
  const repeat = () => tollgate.manage('POST', `/sftp-deliveries/${targetId}-2026-06-15/repeat`)
  expect((await repeat()).status).toBe(200)
  await runJobs()
  expect(server.files.get(pathOf('2026-06-15'))?.content).toEqual(first)
  tollgate.clock.nowMs += 31 * 24 * HOUR_MS
  await runToEnd(eraseDelivered(tollgate.gateway))
  expect((await repeat()).status).toBe(409)
  expect((await deliveries(targetId))[0]).toMatchObject({ state: 'erased' })
  expect(await tollgate.gateway.storage.sftpDeliveryPart(`${targetId}-2026-06-15`, 1)).toBeUndefined()
})

test('after a kill between two parts another process continues, and each row is in the file once', async () => {
  await create()
  const settlementIds = await settleMany()
  atHour(16, 7)
  // Each step is of another process, which knows nothing of the earlier ones.
  for (let steps = 0; steps < 20; steps += 1) await composeDeliveries(tollgate.gateway).step()
  await runJobs()
  expect(column('2026-06-15', 'SettlementTxId')).toEqual(settlementIds)
})

test('two processes that compose at the same moment put each row into the file once', async () => {
  await create()
  const settlementIds = await settleMany()
  atHour(16, 7)
  const tasks = [composeDeliveries(tollgate.gateway), composeDeliveries(tollgate.gateway)]
  await Promise.all(tasks.map(runToEnd))
  await Promise.all([runJobs(), runJobs()])
  expect(column('2026-06-15', 'SettlementTxId')).toEqual(settlementIds)
  expect(server.connections).toHaveLength(1)
})
