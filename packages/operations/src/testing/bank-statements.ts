import type { TestGateway } from '@tollgate/gateway/testing'
import { type BankEntry, type FileFacts, writeSettlementFile } from '@tollgate/settlement-files'
import { expect } from 'vitest'
import { readFiles } from '../settlement/read-files.task.ts'
import { receiveFile } from '../settlement/receive-file.ts'
import { runToEnd } from './settlement-files.ts'

/** The account of the statements. */
export const IBAN = 'DE89370400440532013000'

export const entryOf = (changes: Partial<BankEntry>): BankEntry => ({
  booking: 'OTHER',
  amountMinor: 9200,
  currency: 'EUR',
  direction: 'CREDIT',
  bookedOn: '2026-06-18',
  line: 0,
  ...changes,
})

export const statementOf = (entries: readonly BankEntry[], changes: Partial<FileFacts> = {}): Buffer => {
  const facts = { institute: 'Bank', fileId: 'STMT1', sequence: 1, createdOn: '2026-06-18', settledOn: '2026-06-18' }
  const content = { rows: [], bankEntries: entries }
  return Buffer.concat([
    ...writeSettlementFile('camt.053', { ...facts, account: IBAN, currency: 'EUR', ...changes }, content),
  ])
}

/** @returns the id of the received file */
export async function receiveBankFile({ gateway }: TestGateway, content: Uint8Array): Promise<string> {
  const received = await receiveFile(gateway, { name: 'f', arrivedBy: 'upload', chunks: [content] })
  if (!('file' in received)) throw new Error(`the file was refused: ${received.kind}`)
  return received.file.id
}

/** Receives and reads a file. @returns its id */
export async function readBankFile(tollgate: TestGateway, content: Uint8Array): Promise<string> {
  const id = await receiveBankFile(tollgate, content)
  await runToEnd(readFiles(tollgate.gateway))
  expect(await tollgate.gateway.storage.settlementFile(id)).toMatchObject({ state: 'read' })
  return id
}

/** The balances of all merchants and acquirers, without those that are zero. */
export async function ledgerBalances({ manage }: TestGateway): Promise<readonly string[]> {
  const { body } = await manage('GET', '/ledger/balances')
  const rows: readonly Readonly<Record<string, string>>[] = body.balances
  const minors = new Map<string, number>()
  for (const { account = '', debitsLessCredits } of rows)
    minors.set(account, (minors.get(account) ?? 0) + Math.round(Number(debitsLessCredits) * 100))
  return [...minors]
    .filter(([, minor]) => minor !== 0)
    .map(([account, minor]) => `${account} ${(minor / 100).toFixed(2)}`)
    .toSorted()
}

export const bankEntriesIn = async ({ manage }: TestGateway, state = 'unmatched') =>
  (await manage('GET', `/bank-entries?state=${state}`)).body.bankEntries
