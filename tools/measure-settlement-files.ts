/**
 * node tools/dist/measure-settlement-files.js [rows]: writes a settlement file in each format, reads it three times,
 * and prints the rows per second of processor time and of wall time.
 */
import { type FileContent, type FileFormat, fileFormats } from '@tollgate/settlement-files'
import { readSettlementFile, writeSettlementFile } from '@tollgate/settlement-files'

const ROUNDS = 3
const CHUNK_BYTES = 65_536

type Row = FileContent['rows'][number]

const rowOf = (index: number): Row => ({
  kind: 'SETTLED',
  type: 'DEBIT',
  cashflow: 'POS',
  clearingMerchantId: '4711-0815',
  settlementId: 'S20261127',
  uniqueId: `8a8294174d0595bb014d05d8${String(index).padStart(8, '0')}`,
  connectorTxId1: `7412345678901234567${String(index % 10_000).padStart(4, '0')}`,
  connectorTxId2: '633112345678',
  amountMinor: 9_200 + index,
  currency: 'EUR',
  settlementAmountMinor: 9_200 + index,
  settlementCurrency: 'EUR',
  feeMinor: 138,
  presentedAtMs: Date.UTC(2026, 10, 27) + index * 1_000,
  settledOn: '2026-11-27',
  status: 'SUCCESS',
  descriptor: 'Sample shop, Berlin',
  last4: '1111',
  holder: 'Jane Jones',
  line: 0,
})

/** Members for which camt has no element. */
const cardRowOf = (index: number): Row => ({
  ...rowOf(index),
  shortId: '1234.5678.9012',
  merchantTransactionId: `order-${index}`,
  approvalCode: '123456',
  networkTransactionId: '123456789012345',
  clearingSequence: 1,
  terminalId: '12345678',
  brand: 'VISA',
  bin: '411111',
})

const facts = {
  institute: 'Sample Acquirer',
  fileId: '20261127-1',
  sequence: 331,
  createdOn: '2026-11-28',
  settledOn: '2026-11-27',
  zone: 'Europe/Berlin',
  account: 'DE02701500000000594937',
  currency: 'EUR',
}

async function measure(format: FileFormat, rowCount: number): Promise<void> {
  const newRow = format.startsWith('camt') ? rowOf : cardRowOf
  const rows = Array.from({ length: rowCount }, (_, index) => newRow(index))
  const bytes = Buffer.concat([...writeSettlementFile(format, facts, { rows })])
  const chunks = function* () {
    for (let i = 0; i < bytes.length; i += CHUNK_BYTES) yield bytes.subarray(i, i + CHUNK_BYTES)
  }
  for (let round = 0; round < ROUNDS; round++) {
    const startMs = performance.now()
    const usage = process.cpuUsage()
    let last
    for await (const entries of readSettlementFile(format, chunks())) last = entries.at(-1) ?? last
    if (last?.kind !== 'summary') throw new Error(`${format}: the file is not valid`)
    const { user, system } = process.cpuUsage(usage)
    const perSecond = (ms: number): string => Math.round((rowCount * 1_000) / ms).toLocaleString('en')
    const megabytes = Math.round(bytes.length / 1_000_000)
    console.log(
      `${format}: ${perSecond((user + system) / 1_000)} rows/s of processor time, ` +
        `${perSecond(performance.now() - startMs)} rows/s; ${megabytes} MB`,
    )
  }
}

const rowCount = Number(process.argv[2] ?? 100_000)
for (const format of fileFormats) await measure(format, rowCount)
