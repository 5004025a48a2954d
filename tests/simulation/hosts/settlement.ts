import { testHostProfile } from '@tollgate/connectors'
import { isCurrency } from '@tollgate/contract'
import type { SettlementRow } from '@tollgate/domain'
import { receiveFile, rowIn } from '@tollgate/operations'
import { writeSettlementFile } from '@tollgate/settlement-files'
import type { Gateway } from '@tollgate/gateway/testing'
import type { MemoryDisk, PostingRow } from '@tollgate/storage'
import type { Random } from '../../support/random.ts'
import { fail } from '../violation.ts'
import { compressAtOnce } from './immediate-compression.ts'
import { routedNames } from './routes.ts'

compressAtOnce()

// The settlement of payments at the hosts of acquirers: a file with the rows of most payments, and a second file with
// the others, in which some rows are repeated.

/** A settlement file, and the transactions of its rows that must be matched. */
export interface SimulatedFile {
  readonly name: string
  readonly content: Uint8Array
  readonly rows: number
  readonly matched: readonly string[]
}

/** The types of settled transactions by the kinds of their entries. */
const settledTypes: Readonly<Record<string, SettlementRow['type']>> = {
  charge: 'DEBIT',
  capture: 'DEBIT',
  refund: 'REFUND',
}

const isRouted = ({ acquirer }: PostingRow): boolean => routedNames.some((name) => name === acquirer)

/** The rows of all settled transactions at the hosts, in the order of their ids. */
function rowsOf(disk: MemoryDisk, settledOn: string): readonly SettlementRow[] {
  const transactions = new Map([...disk.transactionsOf.values()].flat().map((row) => [row.id, row]))
  const settled = [...disk.posting.values()].filter((row) => isRouted(row) && settledTypes[row.kind] !== undefined)
  return settled
    .toSorted((one, other) => (one.transaction_id < other.transaction_id ? -1 : 1))
    .flatMap(({ transaction_id: uniqueId, kind, amount_minor: amountMinor, currency }): readonly SettlementRow[] => {
      const transaction = transactions.get(uniqueId)
      if (!transaction || !isCurrency(currency)) return []
      const type = transaction.type === 'CD' ? 'CREDIT' : (settledTypes[kind] ?? 'DEBIT')
      return [
        {
          kind: 'SETTLED',
          type,
          cashflow: type === 'DEBIT' ? 'POS' : 'NEG',
          clearingMerchantId: testHostProfile.merchantId,
          uniqueId,
          amountMinor,
          currency,
          settlementAmountMinor: amountMinor,
          settlementCurrency: currency,
          feeMinor: 7,
          presentedAtMs: transaction.created_at_ms,
          settledOn,
          status: 'SUCCESS',
          line: 0,
        },
      ]
    })
}

function fileOf(
  name: string,
  rows: readonly SettlementRow[],
  settledOn: string,
  matched: readonly string[],
): SimulatedFile {
  const facts = { institute: 'Acquirer', fileId: name, sequence: 1, createdOn: settledOn, settledOn, zone: 'UTC' }
  const content = Buffer.concat([...writeSettlementFile('tollgate-csv', facts, { rows })])
  return { name, content, rows: rows.length, matched }
}

/** A file with most transactions, some of them twice, and one with the others and with some again. */
export function settlementFilesOf(disk: MemoryDisk, atMs: number, random: Random): readonly SimulatedFile[] {
  const settledOn = new Date(atMs).toISOString().slice(0, 10)
  const rows = rowsOf(disk, settledOn)
  if (rows.length === 0) return []
  const [first, others]: [SettlementRow[], SettlementRow[]] = [[], []]
  for (const row of rows) (random.chance(0.7) ? first : others).push(row)
  const repeated = (from: readonly SettlementRow[]) => from.filter(() => random.chance(0.3))
  const idsOf = (from: readonly SettlementRow[]) => from.map(({ uniqueId = '' }) => uniqueId)
  const files = [
    fileOf('first', [...first, ...repeated(first)], settledOn, idsOf(first)),
    fileOf('second', [...repeated(first), ...others], settledOn, idsOf(others)),
  ]
  return files.filter((file) => file.rows > 0)
}

/** Stores a file. @returns its id */
export async function deliver(gateway: Gateway, { name, content }: SimulatedFile): Promise<string> {
  const received = await receiveFile(gateway, { name, arrivedBy: 'upload', chunks: [content] })
  if (!('file' in received)) throw new Error(`the file was refused: ${received.kind}`)
  return received.file.id
}

/** The kinds of entries that move the bank account, with the sign of the movement. */
const bankMovements: Readonly<Record<string, 1 | -1>> = {
  settledSale: 1,
  settledSaleReversal: -1,
  settledRefund: -1,
  settledRefundReturn: 1,
  acquirerFee: -1,
  unmatchedCredit: 1,
  unmatchedDebit: -1,
}

/** All rows of files that were read are stored, no transaction is settled twice, and the bank has the sums. */
export function checkSettlement({ settlement_file: files, settlement_row: stored, posting }: MemoryDisk): void {
  const rows = [...stored.values()]
  for (const { id, rows_read: rowsRead } of files.values()) {
    const count = rows.filter((row) => row.file_id === id).length
    if (count !== rowsRead) fail(`file ${id} has ${count} stored rows, and ${rowsRead} were read`)
  }
  const settled = new Map<string, number>()
  let rowsMinor = 0
  for (const row of rows) {
    const { transaction_id: id } = row
    if (id !== null) settled.set(id, (settled.get(id) ?? 0) + 1)
    const { cashflow, settlementAmountMinor, feeMinor = 0 } = rowIn(row)
    rowsMinor += (cashflow === 'POS' ? settlementAmountMinor : -settlementAmountMinor) - feeMinor
  }
  for (const [id, count] of settled) if (count > 1) fail(`${id} is settled ${count} times`)
  let bankMinor = 0
  for (const { kind, amount_minor: amountMinor } of posting.values())
    bankMinor += (bankMovements[kind] ?? 0) * amountMinor
  if (bankMinor !== rowsMinor) fail(`the bank has ${bankMinor}, and the rows of files have ${rowsMinor}`)
}

/** All rows of a file are stored, and those that settle a transaction for the first time are matched with it. */
export function checkFileIsRead({ settlement_row: stored }: MemoryDisk, id: string, file: SimulatedFile): void {
  const rows = [...stored.values()].filter((row) => row.file_id === id)
  if (rows.length !== file.rows) fail(`the file ${file.name} has ${file.rows} rows, and ${rows.length} are stored`)
  const matched = rows.flatMap(({ transaction_id: transactionId }) => transactionId ?? [])
  const missing = file.matched.filter((each) => !matched.includes(each))
  if (missing.length > 0 || matched.length !== file.matched.length)
    fail(
      `the file ${file.name} has ${matched.length} matched rows of ${file.matched.length}, without ${missing.join()}`,
    )
}
