import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { isPaymentType, stateOf } from '@tollgate/domain'
import { amountOf, amountsView, paymentTree, shownAccount } from '@tollgate/operations'
import type { StoredTree, TransactionRow } from '@tollgate/storage'
import type { Gateway } from '../../gateway.ts'
import { timeOf } from './instant.ts'
import { ManageError } from './manage-error.ts'
import { ById } from './schemas.ts'

/** Shows a payment by the id of any of its transactions: its state, its amounts and all its transactions. */
export function paymentRoutes({ storage, clock }: Gateway): FastifyPluginAsyncTypebox {
  return async (server) => {
    server.get('/payments/:id', { schema: { params: ById } }, async ({ params: { id } }) => {
      const stored = await storage.treeOf(id)
      const root = stored?.transactions[0]
      if (!stored || !root || !isPaymentType(root.type))
        throw new ManageError(404, `There is no payment ${id}: give the id of one of its transactions.`)
      return view(stored, root, clock.now())
    })
  }
}

/** State and amounts are null for a payment without a currency, which was rejected, and for a damaged one. */
function view(stored: StoredTree, root: TransactionRow, atMs: number) {
  const tree = paymentTree(stored)
  const amounts = amountsView(stored, atMs)
  return {
    id: root.id,
    merchant: root.merchant,
    channel: root.channel,
    merchantTransactionId: root.merchant_transaction_id,
    state: tree && amounts ? stateOf(tree, atMs) : null,
    currency: root.currency,
    amounts: amounts ?? null,
    brand: root.brand,
    method: root.method,
    testMode: root.test_mode,
    account: shownAccount(root),
    registrationId: root.registration_id,
    transactions: stored.transactions.map(transactionView),
  }
}

const transactionView = (row: TransactionRow) => ({
  id: row.id,
  referencedId: row.referenced_id,
  type: row.type,
  status: row.status,
  resultCode: row.result_code,
  amount: amountOf(row) ?? null,
  currency: row.currency,
  merchantTransactionId: row.merchant_transaction_id,
  createdAt: timeOf(row.created_at_ms),
})
