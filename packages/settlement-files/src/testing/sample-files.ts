import type { FileFacts, FileFormat } from '../file-entry.ts'
import { fileFormats } from '../file-entry.ts'
import type { SettlementRow } from '@tollgate/domain'
import { writeSettlementFile } from '../write-settlement-file.ts'

const facts: FileFacts = {
  institute: 'Sample Acquirer',
  fileId: '20261127-1',
  sequence: 331,
  createdOn: '2026-11-28',
  settledOn: '2026-11-27',
  zone: 'Europe/Berlin',
  account: 'DE02701500000000594937',
  currency: 'EUR',
  openingMinor: 1_000,
}

const row: SettlementRow = {
  kind: 'SETTLED',
  type: 'DEBIT',
  cashflow: 'POS',
  clearingMerchantId: '4711-0815',
  settlementId: 'S-1',
  uniqueId: '8a8294174d0595bb014d05d829cb01cd',
  connectorTxId1: '74123456789012345678901',
  amountMinor: 9_200,
  currency: 'EUR',
  settlementAmountMinor: 9_200,
  settlementCurrency: 'EUR',
  feeMinor: 138,
  presentedAtMs: Date.UTC(2026, 10, 26, 22, 59, 58),
  settledOn: '2026-11-27',
  status: 'SUCCESS',
  descriptor: 'Muster; "Shop" & Söhne',
  last4: '1111',
  line: 0,
}

const chargeback: SettlementRow = { ...row, kind: 'CHARGEBACK', cashflow: 'NEG', reason: '10.4' }

/** A valid file of a format: captures, then a chargeback. */
export const sampleFile = (format: FileFormat, captureCount = 2): Buffer =>
  Buffer.concat([
    ...writeSettlementFile(format, facts, { rows: [...Array.from({ length: captureCount }, () => row), chargeback] }),
  ])

export const sampleFiles: readonly (readonly [FileFormat, Buffer])[] = fileFormats.map((format) => [
  format,
  sampleFile(format),
])
