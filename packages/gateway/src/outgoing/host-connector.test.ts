import { testHostProfile } from '@tollgate/connectors'
import { createIds, type LogFields } from '@tollgate/operations'
import { openMemory, StorageError } from '@tollgate/storage'
import { expect, test } from 'vitest'
import { createCounts } from '../metrics/counts.ts'
import { nodeEventLoop } from '../runtime/event-loop.ts'
import { createHostConnector } from './host-connector.ts'

const START_MS = Date.UTC(2026, 4, 4)
const clock = { now: () => START_MS, machineNow: () => START_MS }
const request = {
  transactionId: '8ac7a4a0000000000000000000000001',
  operation: 'PA',
  amountMinor: 9200,
  currency: 'EUR',
  brand: 'VISA',
  testMode: 'EXTERNAL',
  atMs: START_MS,
} as const

/** A connector without links, and its log. */
function connect() {
  const lines: LogFields[] = []
  const record = (fields: LogFields) => void lines.push(fields)
  const log = { info: record, warn: record, error: record, flush: () => undefined }
  const storage = openMemory()
  const shared = { ids: createIds(clock), clock, eventLoop: nodeEventLoop, counts: createCounts() }
  const account = { name: 'main', profile: testHostProfile, addresses: [], terminalIds: ['TG000001'] }
  const connector = createHostConnector(account, { ...shared, storage, log, holder: 'process' })
  return { connector, storage, lines }
}

test('a connector that is closed releases its terminal id', async () => {
  const { connector, storage, lines } = connect()
  expect(JSON.parse((await connector.references?.(request)) ?? '')).toMatchObject({ stan: '000001' })
  expect(await storage.terminals()).toMatchObject([{ id: 'main/TG000001', held_by: 'process' }])
  await connector.close?.()
  expect(await storage.terminals()).toMatchObject([{ held_by: null, next_trace: 2 }])
  expect(lines).toEqual([])
})

test('a failure to release it is logged, and does not interrupt a stop', async () => {
  const { connector, storage, lines } = connect()
  await connector.references?.(request)
  Object.assign(storage, { terminals: () => Promise.reject(new StorageError('unavailable', 'no connection')) })
  await connector.close?.()
  expect(lines).toMatchObject([{ operation: 'release a terminal id', kind: 'unavailable' }])
})
