import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { routedOf } from '@tollgate/operations'
import type { AcquirerAttemptRow, TransactionRow } from '@tollgate/storage'
import type { Gateway } from '../../gateway.ts'
import { timeOf } from './instant.ts'
import { ManageError } from './manage-error.ts'
import { ById } from './schemas.ts'

/**
 * Shows where the transactions of a payment were sent: the decision of the route of each, and the messages to acquirers
 * with their references and results.
 */
export function paymentAttemptRoutes({ storage }: Gateway): FastifyPluginAsyncTypebox {
  const attemptsOf = async (row: TransactionRow) => view(row, await storage.acquirerAttempts(row.id))

  return async (server) => {
    server.get('/payments/:id/attempts', { schema: { params: ById } }, async ({ params: { id } }) => {
      const tree = await storage.treeOf(id)
      if (!tree) throw new ManageError(404, `There is no payment ${id}: give the id of one of its transactions.`)
      return { id: tree.id, transactions: await Promise.all(tree.transactions.map(attemptsOf)) }
    })
  }
}

const view = (row: TransactionRow, attempts: readonly AcquirerAttemptRow[]) => ({
  id: row.id,
  type: row.type,
  status: row.status,
  resultCode: row.result_code,
  connector: attempts.at(-1)?.connector ?? routedOf(row)?.connector ?? null,
  decision: routedOf(row)?.decision ?? null,
  attempts: attempts.map(({ kind, connector, sent_as: sentAs, outcome, created_at_ms: createdAtMs }) => ({
    kind,
    connector,
    sentAs: JSON.parse(sentAs) as unknown,
    outcome,
    createdAt: timeOf(createdAtMs),
  })),
})
