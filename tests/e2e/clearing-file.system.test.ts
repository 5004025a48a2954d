import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RemoteConnector, testHostProfile } from '@tollgate/connectors'
import { cardPayment, createHostConnector, testGateway, type TestGateway } from '@tollgate/gateway/testing'
import { closeDays, postTransactions, readFiles, receiveFile } from '@tollgate/operations'
import { type RunningSimulators, startSimulators } from '@tollgate/simulators'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { hostTransactions } from '../support/acquirer-host.ts'

// Captures of a connector with `presentation: file`, from the payment to the matched row of the settlement file.

const HOUR_MS = 3_600_000
const folder = mkdtempSync(join(tmpdir(), 'tollgate-clearing-'))
let gateway: TestGateway
let connector: RemoteConnector | undefined
let host: RunningSimulators

beforeAll(async () => {
  const clock = { now: () => gateway.clock.nowMs }
  const acquirer = { clearingFolder: join(folder, 'external') }
  host = await startSimulators({ host: '127.0.0.1', port: 0, acquirerPort: 0, create: () => [], clock, acquirer })
  const profile = { ...testHostProfile, presentation: 'file' } as const
  const addresses = [host.acquirerAddress ?? { host: '127.0.0.1', port: 0 }]
  gateway = await testGateway({
    env: { TOLLGATE_CLEARING_FOLDER: folder },
    external: (parts) =>
      (connector = createHostConnector(
        { name: 'external', profile, addresses, terminalIds: ['TG000001', 'TG000002'] },
        parts,
      )),
  })
  connector?.open?.()
  await vi.waitFor(() => expect(gateway.logged.filter((line) => line['event'] === 'ready')).toHaveLength(1), 60_000)
}, 120_000)

afterAll(async () => {
  await connector?.close?.()
  await gateway.close()
  await host.close()
  rmSync(folder, { recursive: true })
})

const send = async (path: string, form: Readonly<Record<string, string>>) =>
  (await gateway.send('POST', path, form)).body
const pay = (paymentType: string) => send('/v1/payments', { ...cardPayment(), testMode: 'EXTERNAL', paymentType })
const followUp = (id: string, paymentType: string, amount: string) => {
  // Later ids are greater.
  gateway.clock.nowMs += 1
  return send(`/v1/payments/${id}`, { paymentType, amount, currency: 'EUR' })
}

async function clear(): Promise<void> {
  for (const task of [postTransactions(gateway.gateway), closeDays(gateway.gateway)])
    while ((await task.step()) === 'more');
}

const batch = async () => (await gateway.manage('GET', '/clearing-batches/external/2026-05-04')).body

test('captures reach the host by the file only, once, and are settled and matched', async () => {
  const hold = await pay('PA')
  const captures = [await followUp(hold.id, 'CP', '60.00'), await followUp(hold.id, 'CP', '12.00')]
  const reversed = await followUp(hold.id, 'CP', '5.00')
  await followUp(reversed.id, 'RV', '5.00')
  const debit = await pay('DB')
  const codes = [hold, ...captures, reversed, debit].map(({ result }) => result.code)
  expect(new Set(codes)).toEqual(new Set(['000.100.112']))
  const kinds = async () =>
    (await hostTransactions(host)).map(({ kind, requestedMinor }) => `${kind} ${requestedMinor}`)
  expect(await kinds()).toEqual(['authorisation 9200', 'sale 9200'])

  gateway.clock.nowMs = Date.UTC(2026, 4, 5, 1, 2)
  await clear()
  const read = join(folder, 'external', 'read')
  await vi.waitFor(() => expect(readdirSync(read)).toEqual(['clearing-2026-05-04-000001.txt']), 60_000)
  expect(await kinds()).toEqual(['authorisation 9200', 'sale 9200', 'capture 6000', 'capture 1200'])

  gateway.clock.nowMs += HOUR_MS
  await clear()
  expect(await batch()).toMatchObject({ state: 'agreed', file: { sequence: 1, presentments: 2 } })

  gateway.clock.nowMs = Date.UTC(2026, 4, 6, 1)
  const matched: unknown[] = []
  for (const day of ['2026-05-04', '2026-05-05']) {
    const response = await fetch(`${host.url}/acquirer/settlement-files?date=${day}`)
    const chunks = [Buffer.from(await response.arrayBuffer())]
    const received = await receiveFile(gateway.gateway, { name: day, arrivedBy: 'upload', chunks })
    const task = readFiles(gateway.gateway)
    while ((await task.step()) === 'more');
    const id = 'file' in received ? received.file.id : ''
    const { rows } = (await gateway.manage('GET', `/settlement-files/${id}/rows`)).body
    for (const { matching, transactionId, settled } of rows)
      if (settled.kind === 'SETTLED') matched.push([matching, transactionId, settled.amountMinor])
  }
  expect(matched).toEqual([
    ['MATCHED', debit.id, 9200],
    ['MATCHED', captures[0]?.id, 6000],
    ['MATCHED', captures[1]?.id, 1200],
  ])
  expect((await followUp(captures[0]?.id ?? '', 'RV', '60.00')).result.code).toBe('700.300.700')
  expect((await followUp(captures[1]?.id ?? '', 'RF', '12.00')).result.code).toBe('000.100.112')
}, 180_000)
