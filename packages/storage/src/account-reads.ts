import { all, byId, one } from './declare-read.ts'
import { compareCodeUnits } from './memory/compare-code-units.ts'
import { select } from './memory/select.ts'
import type { PayoutRow } from './schema.ts'

/** The reads of the terms and accounts of merchants, of payouts and of bank entries. */
export const accountReads = {
  /** The terms of all entities: those of each entity in the order of their beginning. */
  merchantTerms: all('merchant_terms', 'ORDER BY entity_id, starts_at_ms', (disk) =>
    select(disk.merchant_terms).toSorted(
      (a, b) => compareCodeUnits(a.entity_id, b.entity_id) || a.starts_at_ms - b.starts_at_ms,
    ),
  ),
  merchantAccount: one('merchant_account', 'WHERE merchant = ?', (disk, merchant: string) =>
    disk.merchant_account.get(merchant),
  ),
  payout: byId('payout'),
  /**
   * The payouts before a payout, by its time (epoch milliseconds) and id, at most `max`: the newest.
   *
   * `state` is a pattern: `%` is every state
   */
  payoutsBefore: all(
    'payout',
    'WHERE (created_at_ms, id) < (?, ?) AND state LIKE ? ORDER BY created_at_ms DESC, id DESC LIMIT ?',
    (disk, createdAtMs: number, id: string, state: string, max: number) =>
      newest(select(disk.payout, isBefore(createdAtMs, id, state)), max),
  ),
  /** Like `payoutsBefore`: those of a merchant. */
  merchantPayoutsBefore: all(
    'payout',
    `WHERE merchant = ? AND (created_at_ms, id) < (?, ?) AND state LIKE ?
      ORDER BY created_at_ms DESC, id DESC LIMIT ?`,
    (disk, merchant: string, createdAtMs: number, id: string, state: string, max: number) => {
      const matches = isBefore(createdAtMs, id, state)
      return newest(
        select(disk.payout, (row) => row.merchant === merchant && matches(row)),
        max,
      )
    },
  ),
  bankEntry: byId('bank_entry'),
  /** The bank entries in a state after an entry, by its day (yyyy-MM-dd) and id, at most `max`: the oldest. */
  bankEntriesAfter: all(
    'bank_entry',
    'WHERE state = ? AND (booked_on, id) > (?, ?) ORDER BY booked_on, id LIMIT ?',
    (disk, state: string, bookedOn: string, id: string, max: number) =>
      select(
        disk.bank_entry,
        (row) => row.state === state && (row.booked_on > bookedOn || (row.booked_on === bookedOn && row.id > id)),
      )
        .toSorted((a, b) => compareCodeUnits(a.booked_on, b.booked_on) || compareCodeUnits(a.id, b.id))
        .slice(0, max),
  ),
}

const isBefore =
  (createdAtMs: number, id: string, state: string) =>
  (row: PayoutRow): boolean =>
    (state === '%' || row.state === state) &&
    (row.created_at_ms < createdAtMs || (row.created_at_ms === createdAtMs && row.id < id))

const newest = (rows: readonly PayoutRow[], max: number): PayoutRow[] =>
  rows.toSorted((a, b) => b.created_at_ms - a.created_at_ms || compareCodeUnits(b.id, a.id)).slice(0, max)
