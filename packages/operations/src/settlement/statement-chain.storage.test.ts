import type { TestGateway } from '@tollgate/gateway/testing'
import type { FileFacts } from '@tollgate/settlement-files'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { clearedGateway } from '../testing/cleared-connector.ts'
import { runToEnd, settlementFileOf, settlementRowOf } from '../testing/settlement-files.ts'
import { readFiles } from './read-files.task.ts'

let tollgate: TestGateway
beforeEach(async () => {
  tollgate = await clearedGateway()
})
afterEach(() => tollgate.close())

/** Statement `sequence` of an account that receives 92.00 EUR in each. */
const statement = (sequence: number, changes: Partial<FileFacts> = {}) => {
  const facts = { account: 'DE02701500000000594937', currency: 'EUR', fileId: `S${sequence}` }
  const row = settlementRowOf({
    uniqueId: String(sequence).padStart(32, 'a'),
    feeMinor: undefined,
    settledOn: '2026-06-16',
  })
  const openingMinor = 9200 * (sequence - 1)
  return settlementFileOf([row], { ...facts, sequence, openingMinor, ...changes }, 'camt.053')
}

const upload = async (content: Buffer): Promise<string> => {
  tollgate.clock.nowMs += 1000
  const headers = { 'content-type': 'application/xml' }
  const { body } = await tollgate.manage('POST', '/settlement-files', content, undefined, undefined, headers)
  return String(body.id)
}
const read = async (content: Buffer): Promise<string> => {
  const id = await upload(content)
  await runToEnd(readFiles(tollgate.gateway))
  return id
}
const file = async (id: string) => (await tollgate.manage('GET', `/settlement-files/${id}`)).body
const accept = (id: string) => tollgate.manage('POST', `/settlement-files/${id}/accept`, { reason: 'lost by the bank' })

describe('a statement that does not adjoin the accepted ones of its account is quarantined', () => {
  beforeEach(() => read(statement(12)))

  test.each<[name: string, content: Buffer, reason: string, field: string, expected: string]>([
    ['after a gap', statement(14), 'SEQUENCE', 'ElctrncSeqNb', '13'],
    ['with a repeated number', statement(12, { fileId: 'OTHER' }), 'SEQUENCE', 'ElctrncSeqNb', '13'],
    [
      'with another opening balance',
      statement(13, { openingMinor: 1 }),
      'CONTINUITY',
      'OPBD',
      'the closing balance of 2026-06-16, number 12',
    ],
  ])('%s', async (_, content, reason, field, expected) => {
    const { state, fault, facts, rowsRead } = await file(await read(content))
    expect({ state, fault, rowsRead }).toMatchObject({
      state: 'quarantined',
      fault: { reason, field, expected },
      rowsRead: 0,
    })
    expect(facts).toMatchObject({ currency: 'EUR' })
  })

  test('but the next one, one of another currency, and one of another account are read', async () => {
    const others = [statement(13), statement(3, { account: 'DE89370400440532013000', fileId: 'OTHER' })]
    for (const content of others) expect((await file(await read(content))).state).toBe('read')
  })
})

test('statements that arrive in another order are read, each as soon as the one before it is accepted', async () => {
  await read(statement(1))
  const early = [await read(statement(4)), await read(statement(3))]
  expect((await Promise.all(early.map(file))).map(({ state }) => state)).toEqual(['quarantined', 'quarantined'])
  await read(statement(2))
  expect((await Promise.all(early.map(file))).map(({ state, fault }) => [state, fault])).toEqual([
    ['read', null],
    ['read', null],
  ])
})

test('statements before the first one that has arrived are read, too', async () => {
  await read(statement(9))
  const earliest = await read(statement(7))
  expect((await file(earliest)).fault).toMatchObject({ reason: 'SEQUENCE', expected: '8' })
  await read(statement(8))
  expect((await file(earliest)).state).toBe('read')
})

describe('an operator', () => {
  test('accepts a statement after a gap, which the missing statement may still close', async () => {
    await read(statement(1))
    const [gap, next] = [await read(statement(3)), await read(statement(4))]
    expect((await accept(gap)).body).toMatchObject({ state: 'checked', fault: null })
    await runToEnd(readFiles(tollgate.gateway))
    expect([(await file(gap)).state, (await file(next)).state]).toEqual(['read', 'read'])
    expect(tollgate.logged.find(({ audit }) => audit === 'statement accepted')).toMatchObject({
      settlementFile: gap,
      reason: 'lost by the bank',
    })
    expect((await file(await read(statement(2)))).state).toBe('read')
    expect((await file(await read(statement(2, { fileId: 'AGAIN' })))).state).toBe('quarantined')
  })

  test('accepts neither a file that is read, nor one that is damaged', async () => {
    const [valid, damaged] = [await read(statement(1)), await read(statement(2).subarray(0, 900))]
    expect([(await accept(valid)).status, (await accept(damaged)).status]).toEqual([409, 409])
  })

  test('accepts no second file with the same fileId', async () => {
    await read(statement(1))
    const gap = await read(statement(3, { fileId: 'S2' }))
    await read(statement(2))
    expect([(await file(gap)).fault.reason, (await accept(gap)).status]).toEqual(['REPEATED_ID', 409])
  })
})
