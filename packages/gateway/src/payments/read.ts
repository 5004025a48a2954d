import { isPaymentType } from '@tollgate/domain'
import type { AccountRow, TransactionRow } from '@tollgate/storage'
import type { Answer } from '../answer.ts'
import type { Gateway } from '../gateway.ts'
import type { Call } from '../http/public/route.ts'
import { outcomeOfRow } from './records.ts'
import { renderTransaction } from './view.ts'

/** The payment response for a transaction id that the caller's token reaches; otherwise as if it did not exist. */
export async function readTransaction(gateway: Gateway, call: Call): Promise<Answer> {
  const row = await transactionFor(gateway, call)
  if (!row) return gateway.render.refusal(404, '700.400.580', call)
  const account = await accountOf(gateway, row)
  const body = renderTransaction(gateway.render, row, outcomeOfRow(row), account, call)
  return { status: 200, code: '000.000.100', body }
}

async function transactionFor({ storage, directory }: Gateway, call: Call): Promise<TransactionRow | undefined> {
  const tree = await storage.treeOf(call.id)
  const row = tree?.transactions.find(({ id }) => id === call.id)
  if (!row || !isPaymentType(row.type) || !directory.reaches(call.caller, row.channel)) return undefined
  const entityId = call.form.values.get('entityId')
  // "On GET entityId may be missing; if it is sent it must match": the channel itself or an entity above it.
  if (entityId !== undefined && !directory.reaches({ ...call.caller, entityId }, row.channel)) return undefined
  return row
}

/** The card or account of a transaction as answers may show it. */
export async function accountOf(gateway: Gateway, row: TransactionRow): Promise<AccountRow | undefined> {
  return row.account_id === null ? undefined : gateway.storage.account(row.account_id)
}
