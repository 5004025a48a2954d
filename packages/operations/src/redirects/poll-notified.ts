import type { TransactionRow } from '@tollgate/storage'
import { connectorOfRow } from '../acquirer/connector-of.ts'
import { hastenReversal } from '../acquirer/hasten-reversal.ts'
import type { Context } from '../context.ts'
import { factsOf } from '../records/payment-record.ts'
import { readSession } from '../records/read-session.ts'
import { pollSession } from './poll-session.ts'

/**
 * Reads the state of a transaction that a provider has named in a notification: by its session, or by its timeout
 * reversal. A transaction of another connector is left as it is.
 *
 * @param connector the name of the connector that received the notification
 */
export async function pollNotified(context: Context, connector: string, transactionId: string): Promise<void> {
  const [row] = await context.storage.transactions([transactionId])
  if (!row || (await connectorOfRow(context, row)).name !== connector) return
  await pollSessionOf(context, row)
  await hastenReversal(context, row)
}

async function pollSessionOf(context: Context, row: TransactionRow): Promise<void> {
  const { sessionId } = factsOf(row)
  const session = sessionId === undefined ? undefined : await readSession(context, sessionId)
  if (session) await pollSession(context, session)
}
