import { DAY_MS } from '@tollgate/contract'
import type { SettlementRow } from '@tollgate/domain'
import { type FileFormat, readSettlementFile, writeSettlementFile } from '@tollgate/settlement-files'
import { randomOf } from '../support/random.ts'
import { nextDay } from './business-day.ts'
import type { Acquirer, Installation } from './installation.ts'
import { type ExpectedRow, spoil } from './spoil.ts'
import type { Happened, Transaction } from './transactions.ts'

/** A settlement file that the gateway has received. */
export interface DeliveredFile {
  readonly id: string
  readonly acquirer: Acquirer
  readonly content: Buffer
  /** The rows in the order of the file. */
  readonly rows: readonly ExpectedRow[]
  /** Writes the file with the same id and other rows. */
  readonly withOtherRows: () => Buffer
}

export interface SettlementFiles {
  readonly delivered: readonly DeliveredFile[]
  readonly counts: ReadonlyMap<string, number>
  /** Receives the file of a business day that is over, with faults in a share of its rows. */
  readonly deliver: (acquirer: Acquirer, day: string, share: number) => Promise<void>
}

const formats: Readonly<Record<Acquirer['name'], FileFormat>> = { north: 'tollgate-csv', south: 'fixed-width' }

const settledTypes: Readonly<Record<string, string>> = {
  DB: 'DEBIT',
  CP: 'DEBIT',
  RB: 'DEBIT',
  RF: 'REFUND',
  CD: 'CREDIT',
}

export function createSettlementFiles(installation: Installation, happened: Happened, seed: number): SettlementFiles {
  const delivered: DeliveredFile[] = []
  const counts = new Map<string, number>()
  const late = new Map<Acquirer, readonly ExpectedRow[]>()

  async function upload(content: Buffer, name: string): Promise<string> {
    const { status, body } = await installation.tollgate.manage('POST', `/settlement-files?name=${name}`, content)
    if (status !== 201) throw new Error(`the file ${name} was answered with ${status}`)
    return body.id
  }

  return {
    delivered,
    counts,
    async deliver(acquirer, day, share) {
      const rows = await hostRows(acquirer, day)
      const byReference = referencesOf(acquirer, happened)
      const known = rows.map((row) => expectedOf(row, byReference.get(row.connectorTxId2 ?? ''), happened))
      checkRows(known, acquirer, day, happened)
      const spoiled = spoil(known, { random: randomOf(seed, Date.parse(day) / DAY_MS), share, happened })
      const written = [...(late.get(acquirer) ?? []), ...spoiled.now]
      late.set(acquirer, spoiled.later)
      for (const [name, count] of spoiled.counts) counts.set(name, (counts.get(name) ?? 0) + count)
      if (written.length === 0) return
      const write = (rowsOfFile: readonly SettlementRow[]) => fileOf(acquirer, day, rowsOfFile)
      const content = write(written.map(({ row }) => row))
      const id = await upload(content, `${acquirer.name}-${day}`)
      const withOtherRows = () =>
        write(
          written
            .map(({ row }) => row)
            .toReversed()
            .slice(1),
        )
      delivered.push({ id, acquirer, content, rows: written, withOtherRows })
    },
  }
}

/** The rows that the test host has for a business day; none if it had no transactions yet. */
export async function hostRows({ url }: Acquirer, day: string): Promise<readonly SettlementRow[]> {
  const response = await fetch(`${url}/acquirer/settlement-files?date=${day}`, { headers: { connection: 'close' } })
  if (response.status === 404) return []
  if (!response.ok) throw new Error(`the host has no file of ${day}: ${await response.text()}`)
  const rows: SettlementRow[] = []
  for await (const entries of readSettlementFile('tollgate-csv', [Buffer.from(await response.arrayBuffer())]))
    for (const entry of entries)
      if (entry.kind === 'row') rows.push(entry.row)
      else if (entry.kind === 'fault') throw new Error(`the file has a fault: ${entry.field} ${entry.reason}`)

  return rows
}

/** The transactions of an acquirer by the references of their answers. */
function referencesOf(acquirer: Acquirer, { transactions }: Happened): ReadonlyMap<string, Transaction> {
  const byReference = new Map<string, Transaction>()
  for (const transaction of transactions) {
    const { reference, status } = transaction
    if (transaction.acquirer !== acquirer || status !== 'approved' || reference === '') continue
    if (byReference.has(reference)) throw new Error(`two transactions have the reference ${reference}`)
    byReference.set(reference, transaction)
  }
  return byReference
}

function expectedOf(row: SettlementRow, means: Transaction | undefined, { disputes }: Happened): ExpectedRow {
  if (row.kind === 'FEE' || !means) return { row, means, expected: { status: 'MATCHED', ids: [] } }
  const refused = disputes.find(
    ({ of, stage, amountMinor, isRecordable }) =>
      !isRecordable && of === means && stage === row.kind && amountMinor === row.amountMinor,
  )
  if (refused) {
    const why = refused.stage === 'CHARGEBACK' ? '700.400.400' : 'no chargeback'
    return { row, means, expected: { status: 'NOT_MATCHED', reason: `not recorded: ${why}` } }
  }
  return { row, means, expected: { status: 'MATCHED', ids: [means.id] } }
}

/** The settled rows of a day are its approved transactions that were not reversed, with their amounts. */
function checkRows(rows: readonly ExpectedRow[], acquirer: Acquirer, day: string, happened: Happened): void {
  const inFile = rows.flatMap(({ row, means }) =>
    row.kind === 'SETTLED' ? [`${row.type} ${means?.id} ${row.amountMinor} ${row.currency}`] : [],
  )
  const made = happened.transactions.flatMap((each) => {
    const type = settledTypes[each.type]
    const isSettled = each.acquirer === acquirer && each.day === day && each.status === 'approved' && !each.isReversed
    return type && isSettled ? [`${type} ${each.id} ${each.amountMinor} ${each.currency}`] : []
  })
  const [ofFile, ofMade] = [new Set(inFile), new Set(made)]
  const [missing, further] = [made.filter((text) => !ofFile.has(text)), inFile.filter((text) => !ofMade.has(text))]
  if (missing.length + further.length > 0)
    throw new Error(`the file of ${day} lacks ${missing.join()} and has ${further.join()}`)
}

/** The settlement file of a business day with these rows, in the format of the acquirer. */
export function fileOf({ name, cutOff }: Acquirer, day: string, rows: readonly SettlementRow[]): Buffer {
  const format = formats[name]
  const facts = {
    institute: name,
    fileId: `${name}-${day}`,
    sequence: Date.parse(day) / DAY_MS,
    createdOn: nextDay(day),
    settledOn: nextDay(day),
    zone: cutOff.timeZone,
  }
  // References have at most 32 characters in the fixed-width format; original data have 42.
  const written = format === 'fixed-width' ? rows.map((row) => ({ ...row, connectorTxId2: undefined })) : rows
  return Buffer.concat([...writeSettlementFile(format, facts, { rows: written })])
}
