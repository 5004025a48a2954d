import type { FileEntry, FileFacts, FileSummary } from '../file-entry.ts'
import { FaultError } from '../file-fault.ts'
import type { FormatReader } from '../format-reader.ts'
import { limits } from '../limits.ts'
import { createTotals } from '../totals.ts'
import { createAccountBalance } from './account-balance.ts'
import { bookedEntryOf, signed, textOf } from './booked-entry.ts'
import { type CamtFormat, type CamtGroupName, camtMessages } from './elements.ts'
import { type Emit, type OpenEntry, openEntry } from './open-entry.ts'
import { createGroupReader, type Fail, type Group } from './read-groups.ts'

/**
 * Creates the reader of a camt.053 or camt.054 message of any version, with one statement or notification.
 *
 * Entries that are not booked (Sts is not BOOK) are ignored. The transactions of an entry must add up to its amount,
 * and in a camt.053 the opening balance (OPBD or PRCD) and the entries to the closing balance (CLBD).
 */
export function createCamtReader(format: CamtFormat): FormatReader {
  const { hasBalances, statement: statementElement } = camtMessages[format]
  const totals = createTotals()
  const balance = createAccountBalance()
  let entries: FileEntry[] = []
  let message: Group | undefined
  let statement: Group | undefined
  let isComplete = false
  let lastBookedOn: string | undefined
  let rowCount = 0
  let bankEntryCount = 0
  /** The entry that is read; null if it is not booked; undefined before its transactions. */
  let entry: OpenEntry | null | undefined

  const add = (fileEntry: FileEntry, fail: Fail): void => {
    if (rowCount + bankEntryCount > limits.rowsMax) fail('ROWS')
    entries.push(fileEntry)
  }

  const emit: Emit = {
    row(row, fail) {
      rowCount++
      if (!totals.add(row)) fail('TOTAL')
      add({ kind: 'row', row }, fail)
    },
    bankEntry(bankEntry, fail) {
      bankEntryCount++
      add({ kind: 'bank entry', bankEntry }, fail)
    },
  }

  const beginStatement = (group: Group, fail: Fail): void => {
    if (statement === group) return
    if (statement) fail('REPEATED', statementElement)
    statement = group
    balance.checkCurrency(group.values['currency'], fail)
  }

  const beginEntry = (group: Group, fail: Fail): OpenEntry | null => {
    const booked = bookedEntryOf(group, String(statement?.values['account']), fail)
    if (booked === undefined) return null
    balance.checkCurrency(booked.currency, fail)
    balance.move(signed(booked.amountMinor, booked.direction), fail)
    lastBookedOn = booked.bookedOn
    return openEntry(booked, emit)
  }

  const leave: Readonly<Record<CamtGroupName, (group: Group, fail: Fail) => void>> = {
    message(group, fail) {
      if (message) fail('REPEATED', 'GrpHdr')
      message = group
    },
    statement(group, fail) {
      beginStatement(group, fail)
      isComplete = true
      if (hasBalances) balance.check(fail)
    },
    balance: (group, fail) => balance.readBalance(group, fail),
    entry(group, fail) {
      entry = entry === undefined ? beginEntry(group, fail) : entry
      entry?.end(fail)
      entry = undefined
    },
    transaction: (group, fail) => entry?.transaction(group, fail),
  }

  const parser = createGroupReader(format, {
    enter(outer, inner, fail) {
      if (outer.name === 'statement') beginStatement(outer, fail)
      if (inner === 'transaction' && entry === undefined) entry = beginEntry(outer, fail)
    },
    leave: (group, fail) => leave[group.name](group, fail),
  })

  return {
    read(piece) {
      parser.write(piece)
      const complete = entries
      entries = []
      return complete
    },
    end(): FileSummary {
      parser.end()
      const missing = message === undefined ? 'GrpHdr' : isComplete ? undefined : statementElement
      if (message === undefined || statement === undefined || missing)
        throw new FaultError('MISSING', parser.place(), missing)
      const { closedOn, ...account } = balance.facts()
      const facts = factsOf(message, statement)
      const settledOn = closedOn ?? lastBookedOn ?? facts.createdOn
      const counts = { rowCount, bankEntryCount, totals: totals.list() }
      return { kind: 'summary', format, ...facts, ...account, settledOn, ...counts }
    },
    place: () => parser.place(),
  }
}

function factsOf(message: Group, statement: Group): Omit<FileFacts, 'settledOn'> {
  const institute = textOf(statement.values['institute'])
  const { sequence } = statement.values
  return {
    ...(institute !== undefined && { institute }),
    fileId: String(message.values['fileId']),
    ...(typeof sequence === 'number' && { sequence }),
    createdOn: String(message.values['createdOn']),
    account: String(statement.values['account']),
  }
}
