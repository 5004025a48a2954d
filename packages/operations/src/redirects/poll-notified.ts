import { connectorOfRow } from '../acquirer/connector-of.ts'
import type { Context } from '../context.ts'
import { factsOf } from '../records/payment-record.ts'
import { readSession } from '../records/read-session.ts'
import { pollSession } from './poll-session.ts'

/**
 * Polls the session of a transaction that a provider has named in a notification. A transaction of another connector,
 * or without a session, is left as it is.
 *
 * @param connector the name of the connector that received the notification
 */
export async function pollNotified(context: Context, connector: string, transactionId: string): Promise<void> {
  const [row] = await context.storage.transactions([transactionId])
  const sessionId = row && factsOf(row).sessionId
  if (!row || sessionId === undefined || (await connectorOfRow(context, row)).name !== connector) return
  const session = await readSession(context, sessionId)
  if (session) await pollSession(context, session)
}
