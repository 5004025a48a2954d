import type { TransactionRow } from '@tollgate/storage'

const minorOf = (rows: readonly TransactionRow[]): number =>
  rows.reduce((sum, { amount_minor: amountMinor }) => sum + (amountMinor ?? 0), 0)

/**
 * Violations of what holds for every payment: no more is captured than authorised, and no more is refunded and charged
 * back than charged.
 *
 * @param transactions those of one payment
 */
export function excessesOf(transactions: readonly TransactionRow[]): readonly string[] {
  const approved = transactions.filter(({ status }) => status === 'ACK')
  const followUpsOf = ({ id }: TransactionRow, type: string) =>
    approved.filter((row) => row.referenced_id === id && row.type === type)
  const isReversed = (row: TransactionRow) => followUpsOf(row, 'RV').length > 0

  function capturedMinor(hold: TransactionRow): number {
    return minorOf(followUpsOf(hold, 'CP').filter((capture) => !isReversed(capture)))
  }

  /** The amount that is refunded and charged back; the reversal of a chargeback refers to the chargeback. */
  function returnedMinor(charge: TransactionRow): number {
    const chargebacks = followUpsOf(charge, 'CB')
    const won = chargebacks.flatMap((chargeback) => followUpsOf(chargeback, 'CR'))
    return minorOf(followUpsOf(charge, 'RF')) + minorOf(chargebacks) - minorOf(won)
  }

  return approved.flatMap((row) => {
    const { id, type, amount_minor: amountMinor } = row
    const isHold = type === 'PA'
    if (!isHold && !['DB', 'CP', 'RB'].includes(type)) return []
    const usedMinor = isHold ? capturedMinor(row) : returnedMinor(row)
    return usedMinor > (amountMinor ?? 0) ? [`${type} ${id} of ${amountMinor}: ${usedMinor}`] : []
  })
}
