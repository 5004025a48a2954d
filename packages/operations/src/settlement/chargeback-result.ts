import { type ChargebackReason, isBrand, isResultCode, resultCodes } from '@tollgate/contract'
import { chargebackReasonOf, type SettlementRow } from '@tollgate/domain'
import type { RecordRow, Storage, TransactionRow } from '@tollgate/storage'
import { narrow } from '../narrow.ts'
import { eciOf } from '../records/authenticated-eci.ts'

/**
 * The result of a chargeback that a row states, by the brand and the authentication of the charge.
 *
 * @param charge the matched transaction
 * @param transactionOf the transactions of its payment, by id: the preauthorisation of a capture is read
 */
export const statedResult = (
  row: SettlementRow,
  charge: TransactionRow,
  transactionOf: (id: string) => TransactionRow | undefined,
): ChargebackReason =>
  chargebackReasonOf(narrow(isBrand, charge.brand) ?? row.brand, row.reason, eciOf(charge, transactionOf))

/** A matched chargeback of a settlement file. */
interface ChargebackRow {
  readonly stored: RecordRow
  readonly row: SettlementRow
}

/**
 * The results of the chargebacks of a page of rows: that of the recorded transaction, with the meaning that the network
 * states if it has the same code; of a chargeback that is not recorded, the one that its row states.
 *
 * @returns a function of a row of the page; its result is undefined if the row has no transaction
 */
export async function chargebackResults(
  storage: Pick<Storage, 'transactions'>,
  page: readonly ChargebackRow[],
): Promise<(of: ChargebackRow) => ChargebackReason | undefined> {
  const matched = page.filter(({ stored, row }) => row.kind === 'CHARGEBACK' && stored.transaction_id !== null)
  const found = new Map<string | null, TransactionRow>()
  const read = async (ids: readonly (string | null)[]): Promise<void> => {
    const wanted = new Set(ids.filter((id): id is string => Boolean(id) && !found.has(id)))
    if (wanted.size > 0) for (const row of await storage.transactions([...wanted])) found.set(row.id, row)
  }
  await read(matched.flatMap(({ stored }) => [stored.transaction_id, stored.chargeback_id]))
  await read([...found.values()].flatMap(({ type, root_id: rootId }) => (type === 'CP' ? [rootId] : [])))
  return ({ stored, row }) => {
    const charge = row.kind === 'CHARGEBACK' ? found.get(stored.transaction_id) : undefined
    if (!charge) return undefined
    const stated = statedResult(row, charge, (id) => found.get(id))
    const recorded = narrow(isResultCode, found.get(stored.chargeback_id)?.result_code)
    if (recorded === undefined || recorded === stated.resultCode) return stated
    return { resultCode: recorded, text: resultCodes[recorded].text }
  }
}
