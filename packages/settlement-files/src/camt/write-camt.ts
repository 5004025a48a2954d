import type { FileContent, FileFacts } from '../file-entry.ts'
import { signed } from './booked-entry.ts'
import { type CamtFormat, camtGroups, camtMessages } from './elements.ts'
import { writeGroup } from './write-group.ts'
import { entriesOfRows, entryOfBankEntry, type WrittenEntry } from './written-entries.ts'

/** The version of the messages that are written: 08, which European banks use since November 2025. */
const VERSION = '08'

/**
 * Writes a camt.053 or camt.054 message: the entries of the rows, then the bank entries. A row's fee is the charges of
 * its transaction; of its ids of the payment, the first of uniqueId, shortId and merchantTransactionId is its
 * EndToEndId. Members for which the format has no element are left out.
 */
export function* writeCamt(
  format: CamtFormat,
  facts: FileFacts,
  { rows, bankEntries = [] }: FileContent,
): Generator<string> {
  const { namespace, message, statement, hasBalances } = camtMessages[format]
  const entries = function* (): Generator<WrittenEntry> {
    yield* entriesOfRows(rows)
    for (const bankEntry of bankEntries) yield entryOfBankEntry(bankEntry)
  }
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${namespace}${VERSION}">\n<${message}>\n`
  yield `<GrpHdr>${writeGroup(camtGroups.message.fields, { ...facts })}</GrpHdr>\n`
  yield `<${statement}>${writeGroup(camtGroups.statement.fields, { ...facts, statementId: facts.fileId })}\n`
  if (hasBalances) yield* balancesOf(facts, entries())
  for (const entry of entries()) yield writeEntry(entry, facts.currency)
  yield `</${statement}>\n</${message}>\n</Document>\n`
}

function* balancesOf({ currency, settledOn, openingMinor = 0 }: FileFacts, entries: Iterable<WrittenEntry>) {
  let balanceMinor = openingMinor
  const balance = (code: string): string => {
    const direction = balanceMinor < 0 ? 'DBIT' : 'CRDT'
    const values = { code, amountMinor: Math.abs(balanceMinor), currency, direction, day: settledOn }
    return `<Bal>${writeGroup(camtGroups.balance.fields, values)}</Bal>\n`
  }
  yield balance('OPBD')
  for (const { values } of entries) {
    balanceMinor += signed(values.amountMinor, values.direction === 'CRDT' ? 'CRDT' : 'DBIT')
  }
  yield balance('CLBD')
}

function writeEntry({ values, transactions }: WrittenEntry, currency: string | undefined): string {
  if (values.currency !== currency) throw new RangeError('SettlementCurrency: must be the currency of the account')
  const details = transactions.map(
    (transaction) => `<TxDtls>${writeGroup(camtGroups.transaction.fields, transaction)}</TxDtls>\n`,
  )
  const nested = details.length === 0 ? '' : `<NtryDtls>\n${details.join('')}</NtryDtls>`
  return `<Ntry>${writeGroup(camtGroups.entry.fields, values)}${nested}</Ntry>\n`
}
