import type { StoredTree, TransactionRow } from '@tollgate/storage'
import type { Answer } from '../answer.ts'
import type { Context } from '../context.ts'
import type { QueryRequest } from '../requests.ts'
import { visibilityOf } from '../directory/visibility.ts'
import { FOUND, linkedTransactions, listAnswer, NOT_FOUND, recordOf, withList } from './answers.ts'

/** "GET /v1/query/{id} one object", with its linked transactions in `payments` if the request includes them. */
export async function queryPayment(context: Context, request: QueryRequest): Promise<Answer> {
  const result = await findTransaction(context, request)
  if ('status' in result) return result
  const record = recordOf(context, request, result.row, result.tree)
  const linked = linkedRecords(context, request, result)
  const body = linked ? withList(record, 'payments', linked) : record
  return { status: 200, code: FOUND, body }
}

/** "GET /v3/query/... the same with records: [...]". */
export async function queryRecord(context: Context, request: QueryRequest): Promise<Answer> {
  const result = await findTransaction(context, request)
  if ('status' in result) return result
  const linked = linkedRecords(context, request, result) ?? []
  return listAnswer(context, request, 'records', [recordOf(context, request, result.row, result.tree), ...linked])
}

interface FoundTransaction {
  readonly row: TransactionRow
  readonly tree: StoredTree
}

async function findTransaction(context: Context, request: QueryRequest): Promise<FoundTransaction | Answer> {
  const tree = await context.storage.treeOf(request.id)
  const row = tree?.transactions.find(({ id }) => id === request.id)
  const visibility = row ? visibilityOf(context, request, row) : 'unknown'
  if (!tree || !row || visibility === 'unknown') return context.render.refusal(404, NOT_FOUND, request)
  if (visibility === 'otherChannel') return context.render.refusal(400, '700.400.700', request)
  return { row, tree }
}

/** The requested types and methods restrict the linked transactions only: the id selects the transaction itself. */
function linkedRecords(
  context: Context,
  request: QueryRequest,
  { row, tree }: FoundTransaction,
): readonly string[] | undefined {
  if (!request.linked) return undefined
  const { types, methods } = request.linked
  return linkedTransactions(tree, row.id)
    .filter((linked) => visibilityOf(context, request, linked) === 'visible')
    .filter(({ type, method }) => (types?.includes(type) ?? true) && (methods?.includes(method ?? '') ?? true))
    .map((linked) => recordOf(context, request, linked, tree))
}
