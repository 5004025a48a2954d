import { InvariantError } from '@tollgate/contract'
import type { SessionRow, TransactionRow } from '@tollgate/storage'
import type { Context } from '../context.ts'
import type { Channel } from '../directory/channel.ts'

/**
 * Reads a redirect or 3-D Secure session for a request without a token.
 *
 * @returns undefined if there is none, or if it belongs to a sandbox that is off
 */
export async function readSession(
  { storage, directory }: Pick<Context, 'storage' | 'directory'>,
  id: string,
): Promise<SessionRow | undefined> {
  const session = await storage.session(id)
  return session && !directory.isVoid(session.merchant) ? session : undefined
}

/** The current transaction of a session, and its channel. */
export async function readSessionPayment(
  { storage, directory }: Pick<Context, 'storage' | 'directory'>,
  session: SessionRow,
): Promise<{ readonly row: TransactionRow; readonly channel: Channel }> {
  const [row] = await storage.transactions([session.transaction_id])
  const channel = row && directory.channel(row.channel)
  if (!row || !channel) throw new InvariantError('session has no transaction or no channel', session.id)
  return { row, channel }
}
