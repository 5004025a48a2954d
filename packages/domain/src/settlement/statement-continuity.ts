/** What a statement of a bank account states about its place among the statements of the account. */
export interface BankStatement {
  /** The day of the closing balance, yyyy-MM-dd. */
  readonly settledOn: string
  /** The number of the statement; undefined: the bank does not number its statements. */
  readonly sequence?: number | undefined
  /** Balances in minor units, negative for a debit. */
  readonly openingMinor: number
  readonly closingMinor: number
}

/** Why a statement is not accepted: the element, and what it had to state. It has no amount, because it is logged. */
export interface StatementFault {
  readonly reason: 'SEQUENCE' | 'CONTINUITY'
  readonly field: 'ElctrncSeqNb' | 'OPBD' | 'CLBD'
  readonly expected: string
}

/**
 * Checks a statement against the accepted ones of its account and currency (domain notes, 4.2: "statement sequence
 * continuity must hold or the file is quarantined"). The first statement has any number and balance. Another one must
 * follow the one before it or precede the one after it; both, if these follow each other.
 *
 * @param before the last accepted statement up to this one, by day and number
 * @param after the first accepted statement after it
 * @returns undefined: the statement is accepted
 */
export function statementFault(
  before: BankStatement | undefined,
  statement: BankStatement,
  after: BankStatement | undefined,
): StatementFault | undefined {
  const gap = before && gapBetween(before, statement)
  const gapAfter = after && gapBetween(statement, after)
  const fault = (gap && before && faultAfter(before, gap)) ?? (gapAfter && after && faultBefore(after, gapAfter))
  const isBetween = before && after && gapBetween(before, after) === undefined
  const adjoins = (before && !gap) || (after && !gapAfter)
  return !isBetween && adjoins ? undefined : fault
}

/** Whether one of two statements follows the other. */
export const areAdjacent = (a: BankStatement, b: BankStatement): boolean =>
  gapBetween(a, b) === undefined || gapBetween(b, a) === undefined

/** What shows that a statement does not follow another one; undefined: it does. Banks may begin a year with 1. */
function gapBetween(previous: BankStatement, next: BankStatement): StatementFault['reason'] | undefined {
  const isNumbered = previous.sequence !== undefined && next.sequence !== undefined
  const isNewYear = next.sequence === 1 && yearOf(next) > yearOf(previous)
  if (isNumbered && next.sequence !== previous.sequence + 1 && !isNewYear) return 'SEQUENCE'
  return next.openingMinor === previous.closingMinor ? undefined : 'CONTINUITY'
}

const faultAfter = (before: BankStatement, reason: StatementFault['reason']): StatementFault =>
  reason === 'SEQUENCE'
    ? { reason, field: 'ElctrncSeqNb', expected: String(Number(before.sequence) + 1) }
    : { reason, field: 'OPBD', expected: `the closing balance of ${nameOf(before)}` }

const faultBefore = (after: BankStatement, reason: StatementFault['reason']): StatementFault =>
  reason === 'SEQUENCE'
    ? { reason, field: 'ElctrncSeqNb', expected: String(Number(after.sequence) - 1) }
    : { reason, field: 'CLBD', expected: `the opening balance of ${nameOf(after)}` }

const nameOf = ({ settledOn, sequence }: BankStatement): string =>
  sequence === undefined ? settledOn : `${settledOn}, number ${sequence}`

const yearOf = ({ settledOn }: BankStatement): string => settledOn.slice(0, 4)
