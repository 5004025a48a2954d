import { areAdjacent, type BankStatement, statementFault, type StatementFault } from '@tollgate/domain'
import type { FileSummary } from '@tollgate/settlement-files'
import type { CompareAndSet, SettlementFileRow } from '@tollgate/storage'
import { Type } from 'typebox'
import { audit } from '../audit.ts'
import { commitChange } from '../commit-change.ts'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import { derivedId } from '../derived-id.ts'
import { optional, storedReader } from '../records/stored-json.ts'

type Dependencies = Pick<Context, 'storage' | 'clock'>

/** The place of a bank statement among those of its account in one currency. */
export interface StatementPlace {
  /** The value of the column `statement`. */
  readonly statement: string
  /** Undefined: the statement is accepted. */
  readonly fault: StatementFault | undefined
  /** The files that waited for this one, and are examined again. */
  readonly released: readonly CompareAndSet[]
}

/**
 * The place of a valid file among the accepted statements of its account. A statement that arrives early is quarantined
 * until the one before it is accepted.
 *
 * @returns undefined: the file is no statement with balances
 */
export async function statementPlace(
  dependencies: Dependencies,
  { account = '', currency = '', openingMinor, closingMinor, settledOn, sequence }: FileSummary,
): Promise<StatementPlace | undefined> {
  if (openingMinor === undefined || closingMinor === undefined) return undefined
  const own: BankStatement = { settledOn, sequence, openingMinor, closingMinor }
  const number = String(sequence ?? 0).padStart(SEQUENCE_DIGITS, '0')
  const statement = `${derivedId('bank account', account, currency)}/${settledOn}/${number}`
  const { first, last } = accountOf(statement)
  const before = await dependencies.storage.statementBefore(first, statement)
  const after = await dependencies.storage.statementAfter(statement, last)
  const fault = statementFault(before && statementIn(before), own, after && statementIn(after))
  return { statement, fault, released: fault ? [] : await releasedBy(dependencies, statement, own) }
}

/** The maximum of digits of a number (ISO 20022, Number). */
const SEQUENCE_DIGITS = 18

/** The values between which those of the statements of an account lie. */
function accountOf(statement: string) {
  const account = statement.slice(0, statement.indexOf('/'))
  return { first: `${account}/`, last: `${account}/~` }
}

const readStatement = storedReader(
  Type.Object({
    settledOn: Type.String(),
    sequence: optional(Type.Integer()),
    openingMinor: Type.Integer(),
    closingMinor: Type.Integer(),
  }),
)

/** What an accepted or quarantined statement states. */
const statementIn = ({ facts }: SettlementFileRow): BankStatement => readStatement(facts ?? '')

/** Has the statements examined again that adjoin an accepted one and were quarantined before. */
async function releasedBy(
  { storage, clock }: Dependencies,
  statement: string,
  accepted: BankStatement,
): Promise<readonly CompareAndSet[]> {
  const { first, last } = accountOf(statement)
  const waiting = await storage.statementsWaiting(first, last, limits.statementsWaitingMax)
  return waiting
    .filter((file) => areAdjacent(accepted, statementIn(file)))
    .map((from) => ({
      table: 'settlement_file',
      from,
      to: { ...from, state: 'received', statement: null, fault: null, changed_at_ms: clock.now() },
    }))
}

/**
 * changed: the file as it is stored now. notWaiting: it is not quarantined as a statement. stale: another process
 * changed it.
 */
export type AcceptResult =
  | { readonly kind: 'changed'; readonly file: SettlementFileRow }
  | { readonly kind: 'notWaiting' | 'stale' }

/**
 * Accepts a statement that does not adjoin the others, for a reason that an operator gives, such as a statement that
 * the bank cannot send any more.
 */
export async function acceptStatement(
  dependencies: Dependencies & Pick<Context, 'ids' | 'log'>,
  from: SettlementFileRow,
  reason: string,
): Promise<AcceptResult> {
  const { statement, institute, file_id: fileId } = from
  if (from.state !== 'quarantined' || statement === null) return { kind: 'notWaiting' }
  const namesakes = await dependencies.storage.settlementFilesNamed(institute ?? '', fileId ?? '')
  if (namesakes.some(({ state }) => state !== 'quarantined')) return { kind: 'notWaiting' }
  const to = { ...from, state: 'checked', fault: null, changed_at_ms: dependencies.clock.now() }
  const released = await releasedBy(dependencies, statement, statementIn(from))
  const compareAndSets = [{ table: 'settlement_file' as const, from, to }, ...released]
  if (!(await commitChange(dependencies, { compareAndSets }))) return { kind: 'stale' }
  audit(dependencies.log, 'statement accepted', { settlementFile: from.id, reason })
  return { kind: 'changed', file: to }
}
