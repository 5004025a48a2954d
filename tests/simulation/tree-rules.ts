import type { TransactionRow } from '@tollgate/storage'

// The rules for the rows of a payment, as sums over rows, independent of the domain's code.

/** The types of transactions that may refer to each type (domain notes, 1.2). */
const followUps: Readonly<Record<string, readonly string[]>> = {
  PA: ['PA', 'CP', 'RV', 'RC'],
  DB: ['RV', 'RF', 'RB', 'CB', 'RC'],
  CD: ['RF'],
  CP: ['RV', 'RF', 'RB', 'CB', 'RC'],
  RB: ['RV', 'RF', 'CB', 'RC'],
  RC: ['RF'],
  RF: ['CB'],
  CB: ['CR'],
  CR: ['CB'],
  RV: [],
}

const rootTypes: ReadonlySet<string> = new Set(['PA', 'DB', 'CD'])

/** The fault in the transactions of a payment; undefined if there is none. A registration is no payment. */
export function treeViolation(rows: readonly TransactionRow[]): string | undefined {
  const root = rows.find((row) => row.id === row.root_id)
  if (!root) return 'the root is missing'
  if (root.type === 'RG') return undefined
  return (
    rows.map((row) => rowViolation(rows, row)).find((violation) => violation !== undefined) ?? sumViolation(rows, root)
  )
}

function rowViolation(rows: readonly TransactionRow[], row: TransactionRow): string | undefined {
  if (row.id === row.root_id) return rootTypes.has(row.type) ? undefined : `a ${row.type} begins a payment`
  const parent = rows.find((each) => each.id === row.referenced_id)
  if (!parent) return `a ${row.type} refers to no stored transaction`
  if (!followUps[parent.type]?.includes(row.type)) return `a ${row.type} follows a ${parent.type}`
  if (row.status !== 'NOK' && parent.status !== 'ACK')
    return `a ${row.type} follows a ${parent.type} that is not approved`
  if (row.currency !== parent.currency || row.merchant !== parent.merchant)
    return `a ${row.type} has another currency or merchant`
  return undefined
}

function sumViolation(rows: readonly TransactionRow[], root: TransactionRow): string | undefined {
  const sum = (summands: readonly TransactionRow[]) =>
    summands.reduce((total, row) => total + (row.amount_minor ?? 0), 0)
  const approvedFollowUps = (row: TransactionRow, type: string) =>
    rows.filter((each) => each.referenced_id === row.id && each.type === type && each.status === 'ACK')
  /** Approved and undecided follow-ups: an undecided capture, refund or reversal reserves its amount. */
  const reserved = (row: TransactionRow, type: string) =>
    rows.filter((each) => each.referenced_id === row.id && each.type === type && each.status !== 'NOK')
  const approvedRows = (type: string) => rows.filter((row) => row.type === type && row.status === 'ACK')

  const holds = approvedRows('PA')
  const authorised = sum(holds) - sum(holds.flatMap((hold) => reserved(hold, 'RV')))
  const captures = rows.filter(
    (row) => row.type === 'CP' && row.status !== 'NOK' && approvedFollowUps(row, 'RV').length === 0,
  )
  if (sum(captures) > authorised) return `the captured amount ${sum(captures)} is more than authorised (${authorised})`
  const { numberOfCaptures = 1 }: { readonly numberOfCaptures?: number } = JSON.parse(root.facts)
  if (captures.length > numberOfCaptures) return `there are ${captures.length} captures of at most ${numberOfCaptures}`

  /** The amount that was charged back, less chargeback reversals, in minor units. */
  const chargedBackMinor = (row: TransactionRow): number =>
    approvedFollowUps(row, 'CB').reduce((total, chargeback) => {
      const reversedMinor = approvedFollowUps(chargeback, 'CR').reduce(
        (subtotal, reversal) => subtotal + (reversal.amount_minor ?? 0) - chargedBackMinor(reversal),
        0,
      )
      return total + (chargeback.amount_minor ?? 0) - reversedMinor
    }, 0)
  for (const type of ['DB', 'CP', 'RB', 'CD', 'RC', 'RF']) {
    for (const row of approvedRows(type)) {
      const available = reserved(row, 'RV').length === 0 ? (row.amount_minor ?? 0) : 0
      const used = sum(reserved(row, 'RF')) + chargedBackMinor(row)
      if (used > available)
        return `the refunded and charged back amount ${used} of a ${type} is more than its ${available}`
      if (reserved(row, 'RV').length > 1) return `a ${type} is reversed twice`
    }
  }
  return approvedRows('CB').some(
    (chargeback) => sum(approvedFollowUps(chargeback, 'CR')) > (chargeback.amount_minor ?? 0),
  )
    ? 'chargeback reversals exceed their chargeback'
    : undefined
}

/**
 * The amount of a payment that is still held, in minor units: preauthorisations less their reversals and less captures
 * that were not reversed.
 */
export function heldMinor(rows: readonly TransactionRow[]): number {
  const approved = rows.filter(({ status }) => status === 'ACK')
  const holds = new Set(approved.filter(({ type }) => type === 'PA').map(({ id }) => id))
  const isReversed = ({ id }: TransactionRow) => approved.some((row) => row.type === 'RV' && row.referenced_id === id)
  return approved.reduce((held, row) => {
    const amount = row.amount_minor ?? 0
    if (row.type === 'PA') return held + amount
    if (row.type === 'RV' && holds.has(row.referenced_id ?? '')) return held - amount
    return row.type === 'CP' && !isReversed(row) ? held - amount : held
  }, 0)
}
