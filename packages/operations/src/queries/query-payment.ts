import { isTrue } from '@tollgate/contract'
import type { StoredTree, TransactionRow } from '@tollgate/storage'
import type { Answer } from '../answer.ts'
import type { Context } from '../context.ts'
import type { Call } from '../request.ts'
import { placeOf } from '../directory/visibility.ts'
import { FOUND, listAnswer, NOTHING } from './answers.ts'
import { linkedTo, recordOf, withList } from './transaction-entry.ts'
import { filterOf } from './search.ts'

/** "GET /v1/query/{id} one object", with those linked to it in `payments` where they are wanted. */
export async function queryPayment(context: Context, call: Call): Promise<Answer> {
  const found = await find(context, call)
  if ('status' in found) return found
  const record = recordOf(context, call, found.row)
  const body = isTrue(call.parameters, LINKED)
    ? withList(record, 'payments', linkedRecords(context, call, found))
    : record
  return { status: 200, code: FOUND, body }
}

/** "GET /v3/query/... the same with records: [...]". */
export async function queryRecord(context: Context, call: Call): Promise<Answer> {
  const found = await find(context, call)
  if ('status' in found) return found
  const linked = isTrue(call.parameters, LINKED) ? linkedRecords(context, call, found) : []
  return listAnswer(context, call, 'records', [recordOf(context, call, found.row), ...linked])
}

const LINKED = 'includeLinkedTransactions'

interface Found {
  readonly row: TransactionRow
  readonly tree: StoredTree
}

async function find(context: Context, call: Call): Promise<Found | Answer> {
  const tree = await context.storage.treeOf(call.id)
  const row = tree?.transactions.find(({ id }) => id === call.id)
  const place = row ? placeOf(context, call, row) : 'unknown'
  if (!tree || !row || place === 'unknown') return context.render.refusal(404, NOTHING, call)
  if (place === 'elsewhere') return context.render.refusal(400, '700.400.700', call)
  return { row, tree }
}

/** Types and methods that are named narrow what is linked; the transaction itself is named by its id. */
function linkedRecords(context: Context, call: Call, { row, tree }: Found): readonly string[] {
  const { types, methods } = filterOf(call.parameters)
  return linkedTo(tree, row.id)
    .filter((one) => placeOf(context, call, one) === 'here')
    .filter(({ type, method }) => (types?.includes(type) ?? true) && (methods?.includes(method ?? '') ?? true))
    .map((one) => recordOf(context, call, one))
}
