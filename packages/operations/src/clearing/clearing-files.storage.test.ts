import { HOUR_MS, MINUTE_MS } from '@tollgate/contract'
import { cardPayment, type Parameters, summary, testGateway, type TestGateway } from '@tollgate/gateway/testing'
import { type ClearingEntry, readClearingFile } from '@tollgate/settlement-files'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { postTransactions } from '../ledger/post-transactions.task.ts'
import type { ClearingFiles } from '../ports/clearing-files.ts'
import { type ClearedConnector, useClearedConnector } from '../testing/cleared-connector.ts'
import { closeDays } from './close-days.task.ts'

const noon = Date.UTC(2026, 5, 15, 12)
const cutOff = noon + 6 * HOUR_MS

let tollgate: TestGateway
let north: ClearedConnector
/** The files that were put, in order. */
let files: { readonly name: string; readonly text: string }[]
/** Called when a file is in its place, before the batch is marked. */
let afterPut: () => void

beforeEach(async () => {
  tollgate = await testGateway()
  tollgate.clock.nowMs = noon
  north = useClearedConnector(tollgate, { presentation: 'file' })
  files = []
  afterPut = () => undefined
})
afterEach(() => tollgate.close())

const clearingFiles: ClearingFiles = {
  async put(acquirer, name, pieces) {
    let text = ''
    for await (const piece of pieces) text += piece
    files.push({ name: `${acquirer}/${name}`, text })
    afterPut()
  },
}

const send = (changes: Parameters = {}) =>
  tollgate.send('POST', '/v1/payments', cardPayment({ testMode: 'EXTERNAL', ...changes }))
const authorise = async (changes: Parameters = {}): Promise<string> =>
  (await send({ paymentType: 'PA', ...changes })).body.id
const followUp = (id: string, paymentType: string, amount?: string, currency = 'EUR') => {
  // Later ids are greater.
  tollgate.clock.nowMs += 1
  return tollgate.send('POST', `/v1/payments/${id}`, { paymentType, ...(amount && { amount, currency }) })
}
const capture = async (id: string, amount: string, currency = 'EUR'): Promise<string> =>
  (await followUp(id, 'CP', amount, currency)).body.id

async function until(atMs: number): Promise<void> {
  tollgate.clock.nowMs = atMs
  for (const task of [postTransactions(tollgate.gateway), closeDays({ ...tollgate.gateway, clearingFiles })])
    while ((await task.step()) === 'more');
}

async function entriesOf(text: string): Promise<readonly ClearingEntry[]> {
  const entries: ClearingEntry[] = []
  for await (const entry of readClearingFile([Buffer.from(text)])) entries.push(entry)
  return entries
}

/** The ids and amounts that a file presents. */
const presented = async (text = ''): Promise<readonly string[]> =>
  (await entriesOf(text)).flatMap((entry) =>
    entry.kind === 'presentment'
      ? [`${entry.presentment.presentmentId} ${entry.presentment.amountMinor} ${entry.presentment.currency}`]
      : [],
  )

const batch = async (day = '2026-06-15') => (await tollgate.manage('GET', `/clearing-batches/north/${day}`)).body

test('the captures of a day are presented by one file, after the day is complete', async () => {
  const first = await authorise()
  const captures = [await capture(first, '60.00'), await capture(first, '32.00')]
  const dollars = await capture(await authorise({ currency: 'USD' }), '92.00', 'USD')
  await send()
  await until(cutOff + HOUR_MS - MINUTE_MS)
  expect(files).toEqual([])
  await until(cutOff + HOUR_MS + 15 * MINUTE_MS)
  expect(files.map(({ name }) => name)).toEqual(['north/clearing-2026-06-15-000001.txt'])
  // The debit was presented by its message to the host.
  expect(await presented(files[0]?.text)).toEqual([
    `${captures[0]} 6000 EUR`,
    `${captures[1]} 3200 EUR`,
    `${dollars} 9200 USD`,
  ])
  const [entry] = await entriesOf(files[0]?.text ?? '')
  expect(entry).toMatchObject({
    kind: 'presentment',
    presentment: {
      clearingMerchantId: 'NORTH0000000001',
      terminalId: 'TERM0001',
      reference: expect.stringMatching(/^61661200\d{4}$/),
      originalData: '010000000306151200000000040012300000000000',
      approvalCode: 'A1B2C3',
      captureSequence: 1,
      captureCount: 2,
      capturedAtMs: noon,
    },
  })
  expect((await batch()).file).toMatchObject({ sequence: 1, name: 'clearing-2026-06-15-000001.txt', presentments: 3 })
})

test('the totals are compared when the acquirer had time to read the file', async () => {
  await capture(await authorise(), '92.00')
  await until(cutOff + HOUR_MS + MINUTE_MS)
  await until(cutOff + HOUR_MS + 15 * MINUTE_MS)
  expect(north.compared).toEqual([])
  await until(cutOff + HOUR_MS + 17 * MINUTE_MS)
  expect(north.compared).toMatchObject([{ currency: 'EUR', totals: { debits: { count: 1, amountMinor: 9200 } } }])
  expect((await batch()).state).toBe('agreed')
  await until(cutOff + 5 * HOUR_MS)
  expect(files.length).toBe(1)
})

test('a file that was written before the process ended is written again, byte for byte', async () => {
  await capture(await authorise(), '92.00')
  afterPut = () => {
    throw new Error('killed')
  }
  await expect(until(cutOff + HOUR_MS + MINUTE_MS)).rejects.toThrow('killed')
  expect((await batch()).file).toEqual({ sequence: 1, name: null })
  afterPut = () => undefined
  // A later payment belongs to the next file.
  await capture(await authorise(), '5.00')
  await until(cutOff + 2 * HOUR_MS)
  expect(files.length).toBe(2)
  expect(files[1]).toEqual(files[0])
  expect((await batch()).file.name).toBe('clearing-2026-06-15-000001.txt')
})

test('a capture is reversed before the cut-off and not presented, and refused for reversal after it', async () => {
  const id = await authorise()
  const [reversed, kept] = [await capture(id, '60.00'), await capture(id, '32.00')]
  expect(summary(await followUp(reversed, 'RV')).slice(0, 2)).toEqual([200, '000.100.112'])
  await until(cutOff + HOUR_MS + MINUTE_MS)
  expect(await presented(files[0]?.text)).toEqual([`${kept} 3200 EUR`])
  expect(summary(await followUp(kept, 'RV')).slice(0, 2)).toEqual([400, '700.300.700'])
})

test('a capture without its request delays the file, and is not left out of it', async () => {
  const id = await capture(await authorise(), '92.00')
  const { storage } = tollgate.gateway
  const read = storage.acquirerAttempts
  const attempts = vi.spyOn(storage, 'acquirerAttempts').mockResolvedValue([])
  await until(cutOff + HOUR_MS + MINUTE_MS)
  expect(files).toEqual([])
  const waits = `the capture ${id} or its request to the acquirer is missing`
  expect(tollgate.logged).toContainEqual({ level: 'warn', clearing: 'north/2026-06-15', waits })
  attempts.mockImplementation(read)
  await until(cutOff + 2 * HOUR_MS)
  expect(await presented(files[0]?.text)).toEqual([`${id} 9200 EUR`])
})

test('a day on which nothing is cleared has a file, also if its first writing fails', async () => {
  await authorise()
  afterPut = () => {
    throw new Error('killed')
  }
  await expect(until(cutOff + HOUR_MS + MINUTE_MS)).rejects.toThrow('killed')
  afterPut = () => undefined
  await until(cutOff + 2 * HOUR_MS)
  await until(cutOff + 3 * HOUR_MS)
  expect(await batch()).toMatchObject({ state: 'agreed', file: { sequence: 1, presentments: 0 } })
})

test('each file has the next number, and each capture is in one file', async () => {
  const first = await capture(await authorise(), '92.00')
  await until(cutOff + HOUR_MS + MINUTE_MS)
  const second = await capture(await authorise(), '5.00')
  await until(cutOff + 25 * HOUR_MS + MINUTE_MS)
  expect(files.map(({ name }) => name.slice(-10))).toEqual(['000001.txt', '000002.txt'])
  expect(await Promise.all(files.map(({ text }) => presented(text)))).toEqual([
    [`${first} 9200 EUR`],
    [`${second} 500 EUR`],
  ])
})

test('a day with debits only has a file without presentments', async () => {
  await send()
  await until(cutOff + HOUR_MS + MINUTE_MS)
  expect(await entriesOf(files[0]?.text ?? '')).toMatchObject([{ kind: 'summary', sequence: 1, presentmentCount: 0 }])
})

test('captures that their messages present are in no file', async () => {
  north = useClearedConnector(tollgate)
  await capture(await authorise(), '92.00')
  await until(cutOff + 2 * HOUR_MS)
  expect(files).toEqual([])
  expect((await batch()).file).toBeNull()
})
