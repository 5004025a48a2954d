import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Presentment, readSettlementFile, writeClearingFile } from '@tollgate/settlement-files'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { simulatorServer } from '../../http/server.ts'
import { type Acquirer, createAcquirer } from '../acquirer.ts'
import type { HostMessage } from '../host-message.ts'
import { originalDataOf, reconciliation, testMessage } from '../testing/messages.ts'

const folder = join(tmpdir(), `clearing-${process.pid}`)
let acquirer: Acquirer
let server: FastifyInstance
let nowMs = 0

beforeEach(async () => {
  nowMs = Date.parse('2026-11-20T09:00:00Z')
  mkdirSync(folder)
  const random = (bytes: number): Uint8Array => new Uint8Array(bytes)
  acquirer = await createAcquirer({ url: '', clock: { now: () => nowMs }, random }, { clearingFolder: folder })
  server = simulatorServer([acquirer])
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const send = (message: HostMessage) => acquirer.host.handle(message, { isSignedOn: true })?.answer.fields ?? {}

const hold = testMessage({ type: '0100' })
const { 41: terminalId = '', 42: merchant = '' } = hold.fields
const presentment: Presentment = {
  clearingMerchantId: merchant,
  currency: 'EUR',
  presentmentId: 'a'.repeat(32),
  reference: '632410000777',
  terminalId,
  originalData: originalDataOf(hold),
  captureSequence: 1,
  captureCount: 2,
  amountMinor: 6000,
  capturedAtMs: Date.parse('2026-11-20T10:00:00Z'),
}

async function fileOf(...changes: readonly Partial<Presentment>[]): Promise<string> {
  const facts = { institute: 'Test', fileId: 'test/2026-11-20', sequence: 1, businessDay: '2026-11-20' }
  let text = ''
  for await (const piece of writeClearingFile(
    facts,
    changes.map((change) => ({ ...presentment, ...change })),
  ))
    text += piece
  return text
}

async function receive(payload: string) {
  const response = await server.inject({ method: 'POST', url: '/acquirer/clearing-files', payload })
  return { status: response.statusCode, body: response.json() }
}

/** The compared day in the answer to a reconciliation: field 66. */
const compare = (debits: number, amount: number, stan: number) =>
  send(
    reconciliation({ counts: [0, 0, debits, 0], amounts: [0, 0, amount, 0], net: `D${amount}` }, stan, {
      15: '1120',
      41: undefined,
      42: merchant,
    }),
  )[66]

/** The references and amounts of the settled debits of the current day. */
async function settled(): Promise<readonly string[]> {
  const day = new Date(nowMs).toISOString().slice(0, 10)
  nowMs += 86_400_000
  const { rawPayload } = await server.inject(`/acquirer/settlement-files?date=${day}`)
  const rows: string[] = []
  for await (const entries of readSettlementFile('tollgate-csv', [rawPayload]))
    for (const entry of entries)
      if (entry.kind === 'row' && entry.row.kind === 'SETTLED')
        rows.push(`${entry.row.connectorTxId1} ${entry.row.clearingSequence} ${entry.row.amountMinor}`)
  return rows
}

describe('a clearing file', () => {
  test('is posted in the batch of its day, and settled on the day on which it is read', async () => {
    send(hold)
    nowMs = Date.parse('2026-11-21T01:00:00Z')
    const second = { presentmentId: 'b'.repeat(32), reference: '632410000778', captureSequence: 2, amountMinor: 3200 }
    const { status, body } = await receive(await fileOf({}, second))
    expect([status, body]).toEqual([
      200,
      { fileId: 'test/2026-11-20', sequence: 1, accepted: 2, repeated: 0, rejected: [] },
    ])
    expect(compare(1, 9200, 901)).toBe('2')
    expect(compare(2, 9200, 902)).toBe('1')
    expect(await settled()).toEqual(['632410000777 1 6000', '632410000778 2 3200'])
  })

  test('that arrives twice is posted once', async () => {
    send(hold)
    const file = await fileOf({})
    await receive(file)
    expect((await receive(file)).body).toMatchObject({ accepted: 0, repeated: 1 })
    expect(await settled()).toEqual(['632410000777 1 6000'])
  })

  test.each([
    ['of an unknown authorisation', { terminalId: 'OTHER001' }, '25'],
    ['in another currency', { currency: 'USD' }, '25'],
    ['of more than is held', { amountMinor: 9201 }, '64'],
  ])('has a presentment %s rejected, and the others posted', async (_, change, code) => {
    send(hold)
    const { body } = await receive(await fileOf({}, { ...change, presentmentId: 'c'.repeat(32) }))
    expect(body).toMatchObject({ accepted: 1, rejected: [{ presentmentId: 'c'.repeat(32), code }] })
  })

  test('after a capture by message presents nothing beyond the hold', async () => {
    send(hold)
    send(testMessage({ type: '0220', stan: 2, fields: { 90: originalDataOf(hold) } }))
    expect((await receive(await fileOf({}))).body).toMatchObject({ accepted: 0, rejected: [{ code: '64' }] })
  })

  test('with a fault has no effect', async () => {
    send(hold)
    const { status, body } = await receive((await fileOf({})).replace('000000000006000', '000000000006001'))
    expect([status, body]).toMatchObject([400, { code: 'invalidFile', line: 4, reason: 'TOTAL' }])
    expect(await settled()).toEqual([])
  })

  test('is read from a folder, and moved', async () => {
    send(hold)
    writeFileSync(join(folder, 'clearing-1.txt'), await fileOf({}))
    writeFileSync(join(folder, 'clearing-2.txt'), 'damaged')
    writeFileSync(join(folder, '.clearing-3.txt.0.part'), await fileOf({ presentmentId: 'd'.repeat(32) }))
    await acquirer.advance()
    expect(readdirSync(join(folder, 'read'))).toEqual(['clearing-1.txt'])
    expect(readdirSync(join(folder, 'refused'))).toEqual(['clearing-2.txt'])
    expect(await settled()).toEqual(['632410000777 1 6000'])
  })
})
