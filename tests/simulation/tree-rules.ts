import type { TransactionRow } from '@tollgate/storage'

// Rules of the rows of a payment, independently of the domain: sums over rows, without any of its code.

/** What may refer to what (domain notes, 1.2). */
const mayFollow: Readonly<Record<string, readonly string[]>> = {
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

const opening: ReadonlySet<string> = new Set(['PA', 'DB', 'CD'])

/** The fault in the transactions of a payment; undefined without one. A registration is no payment. */
export function wrongInTree(rows: readonly TransactionRow[]): string | undefined {
  const root = rows.find((row) => row.id === row.root_id)
  if (!root) return 'there is no root'
  if (root.type === 'RG') return undefined
  return rows.map((row) => illegal(rows, row)).find((each) => each !== undefined) ?? wrongSums(rows, root)
}

function illegal(rows: readonly TransactionRow[], row: TransactionRow): string | undefined {
  if (row.id === row.root_id) return opening.has(row.type) ? undefined : `a ${row.type} begins a payment`
  const parent = rows.find((each) => each.id === row.referenced_id)
  if (!parent) return `a ${row.type} refers to nothing`
  if (!mayFollow[parent.type]?.includes(row.type)) return `a ${row.type} follows a ${parent.type}`
  if (row.status !== 'NOK' && parent.status !== 'ACK') return `a ${row.type} follows a ${parent.type} not approved`
  if (row.currency !== parent.currency || row.merchant !== parent.merchant) return `a ${row.type} changes its currency`
  return undefined
}

function wrongSums(rows: readonly TransactionRow[], root: TransactionRow): string | undefined {
  const sum = (these: readonly TransactionRow[]) => these.reduce((total, row) => total + (row.amount_minor ?? 0), 0)
  const on = (row: TransactionRow, type: string) =>
    rows.filter((each) => each.referenced_id === row.id && each.type === type && each.status === 'ACK')
  /** Undecided captures, refunds and reversals reserve their amount already; undecided transactions add none. */
  const reserved = (row: TransactionRow, type: string) =>
    rows.filter((each) => each.referenced_id === row.id && each.type === type && each.status !== 'NOK')
  const ofType = (type: string) => rows.filter((row) => row.type === type && row.status === 'ACK')

  const holds = ofType('PA')
  const authorised = sum(holds) - sum(holds.flatMap((hold) => reserved(hold, 'RV')))
  const captures = rows.filter((row) => row.type === 'CP' && row.status !== 'NOK' && on(row, 'RV').length === 0)
  if (sum(captures) > authorised) return `captured ${sum(captures)} is more than authorised ${authorised}`
  const { numberOfCaptures = 1 }: { readonly numberOfCaptures?: number } = JSON.parse(root.facts)
  if (captures.length > numberOfCaptures) return `there are ${captures.length} captures of ${numberOfCaptures}`

  /** Charged back and not won back. */
  const lost = (row: TransactionRow): number =>
    on(row, 'CB').reduce((total, back) => {
      const won = on(back, 'CR').reduce((part, reversal) => part + (reversal.amount_minor ?? 0) - lost(reversal), 0)
      return total + (back.amount_minor ?? 0) - won
    }, 0)
  for (const type of ['DB', 'CP', 'RB', 'CD', 'RC', 'RF']) {
    for (const row of ofType(type)) {
      const had = reserved(row, 'RV').length === 0 ? (row.amount_minor ?? 0) : 0
      const gone = sum(reserved(row, 'RF')) + lost(row)
      if (gone > had) return `refunded and charged back ${gone} of a ${type} is more than its ${had}`
      if (reserved(row, 'RV').length > 1) return `a ${type} is reversed twice`
    }
  }
  return ofType('CB').some((back) => sum(on(back, 'CR')) > (back.amount_minor ?? 0))
    ? 'more of a chargeback was won back than it took'
    : undefined
}

/** The open hold of a payment on the shopper's account, in minor units: 0 once captures and reversals have used it. */
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
