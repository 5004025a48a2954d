import type { SessionRow } from '@tollgate/storage'
import type { Context } from '../context.ts'

/**
 * A redirect or 3-D Secure session for a request without a token.
 *
 * @returns undefined where there is none, or it belongs to a sandbox that is off
 */
export async function readSession(
  { storage, directory }: Pick<Context, 'storage' | 'directory'>,
  id: string,
): Promise<SessionRow | undefined> {
  const session = await storage.visit(id)
  return session && !directory.isVoid(session.merchant) ? session : undefined
}
