import type { TestGateway } from '@tollgate/gateway/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sandboxIds } from '../directory/sandbox.ts'
import { clearedGateway } from '../testing/cleared-connector.ts'
import { type MemorySftp, targetOf, useMemorySftp } from '../testing/memory-sftp.ts'
import { runToEnd } from '../testing/settlement-files.ts'
import { june, settlementReports, V1 } from '../testing/settlement-reports.ts'
import { composeDeliveries } from './compose-deliveries.task.ts'

// Settlement reports on the way to a merchant's server.

let tollgate: TestGateway
let server: MemorySftp
let reports: ReturnType<typeof settlementReports>
beforeEach(async () => {
  tollgate = await clearedGateway()
  server = useMemorySftp(tollgate)
  reports = settlementReports(tollgate)
})
afterEach(() => tollgate.close())

const create = async (changes: object = {}): Promise<string> =>
  (await tollgate.manage('POST', '/sftp-targets', targetOf(sandboxIds.merchant, changes))).body.id

/** Makes and transfers the files that are due at 7 o'clock. */
async function deliverAt(day: number): Promise<void> {
  tollgate.clock.nowMs = Date.UTC(2026, 5, day, 7)
  await runToEnd(composeDeliveries(tollgate.gateway))
  await tollgate.gateway.jobs.fastForward(tollgate.gateway.clock.now())
}
const fileOf = (day: string) =>
  server.files.get(`/in/settlements-${sandboxIds.merchant}-${day}.csv`)?.content.toString()

test('each file has the settlements of the last weeks, with the sums that are known then', async () => {
  const targetId = await create({ purpose: 'settlementReport' })
  await reports.settled({}, { settledOn: '2026-06-17' }, { settledOn: '2026-05-16' }, { settledOn: '2026-05-17' })
  await deliverAt(17)
  const csv = async (parameters: object) =>
    (await reports.get(V1, { ...june, ...parameters }, { accept: 'text/csv' })).text
  const first = fileOf('2026-06-16')
  expect(first).toBe(await csv({ 'date.from': '2026-05-17', 'date.to': '2026-06-16' }))
  expect(first?.trimEnd().split('\n').length).toBe(3)
  await reports.settled({})
  await deliverAt(18)
  const second = fileOf('2026-06-17')
  expect(second).toBe(await csv({ 'date.from': '2026-05-18', 'date.to': '2026-06-17' }))
  expect(second).toContain(';184.00;')
  expect(fileOf('2026-06-16')).toBe(first)
  const { body } = await tollgate.manage('GET', `/sftp-deliveries?targetId=${targetId}`)
  expect(body.deliveries).toMatchObject([
    { day: '2026-06-17', state: 'delivered', rows: 2 },
    { day: '2026-06-16', state: 'delivered', rows: 2 },
  ])
})

test('a complete file is an event of the audit log', async () => {
  const targetId = await create({ purpose: 'settlementReport' })
  await reports.settled({})
  await deliverAt(17)
  const events = tollgate.logged.filter((line) => line['audit'] === 'report ready')
  expect(events).toMatchObject([{ fileDelivery: `${targetId}-2026-06-16`, day: '2026-06-16', rows: 1 }])
})

test('a process that is killed between its steps is continued by another one, and the file is complete', async () => {
  await create({ purpose: 'settlementReport' })
  await reports.settled({}, { settlementId: 'S2' })
  tollgate.clock.nowMs = Date.UTC(2026, 5, 17, 7)
  for (let steps = 0; steps < 4; steps += 1) await composeDeliveries(tollgate.gateway).step()
  await tollgate.gateway.jobs.fastForward(tollgate.gateway.clock.now())
  expect(fileOf('2026-06-16')?.trimEnd().split('\n').length).toBe(3)
})

test('both purposes are delivered side by side', async () => {
  await create()
  await create({ purpose: 'settlementReport' })
  await deliverAt(17)
  expect([...server.files.keys()].toSorted()).toEqual([
    `/in/reconciliation-${sandboxIds.merchant}-2026-06-16.csv`,
    `/in/settlements-${sandboxIds.merchant}-2026-06-16.csv`,
  ])
})
