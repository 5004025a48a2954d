import type { SettlementRowRow } from '@tollgate/storage'
import { commitChange } from '../commit-change.ts'
import type { Context } from '../context.ts'
import { derivedRows } from './derived-rows.ts'
import { reported } from './settlement-sums.ts'
import { rowIn, rowJson } from './stored-row.ts'

type Dependencies = Pick<Context, 'storage' | 'acquirers' | 'clock' | 'ids' | 'log'>

/** The prefix of the reason of a row whose chargeback, or the reversal of one, could not be recorded. */
const NOT_RECORDED = 'not recorded: '

/** The reason of a reversal whose chargeback has not arrived yet. */
const NO_CHARGEBACK = 'no chargeback'

/** Why a matched row is not recorded: one of these, or the result code with which the payment refused it. */
export const heldFor = {
  noChargeback: NO_CHARGEBACK,
  amountDiffers: 'the recorded amount differs',
  noChannel: 'the channel of the payment is unknown',
  decimals: 'the amount has more than two decimals',
} as const

/** Whether a row was matched, but could not be recorded. */
export const isHeld = ({ reason }: SettlementRowRow): boolean => reason.startsWith(NOT_RECORDED)

/** Whether a row waits for its chargeback. */
export const waitsForChargeback = ({ reason }: SettlementRowRow): boolean =>
  reason === `${NOT_RECORDED}${NO_CHARGEBACK}`

/**
 * Takes back the match of a row that cannot be recorded: it is listed with the open rows, and its amount is in
 * suspense, until an operator matches it by hand. It is then tried again.
 *
 * @param why a text of `heldFor` or a result code
 */
export async function holdBack(dependencies: Dependencies, from: SettlementRowRow, why: string): Promise<void> {
  const row = rowIn(from)
  const held = {
    ...from,
    row: rowJson(row, undefined),
    status: 'NOT_MATCHED',
    transaction_id: null,
    reason: `${NOT_RECORDED}${why}`,
    changed_at_ms: dependencies.clock.now(),
    delivery_id: null,
  }
  const to = { ...held, ...reported(held, row) }
  const compareAndSets = [{ table: 'settlement_row' as const, from, to }]
  const rows = await derivedRows(dependencies, [{ from, to }], new Map())
  // After a concurrent change, the next sweep tries the row again.
  if (!(await commitChange(dependencies, { compareAndSets, rows }))) return
  dependencies.log.error({ settlementFile: from.file_id, row: from.number, chargeback: why })
}
