import type { VisitRow } from '@tollgate/storage'
import type { Context } from '../context.ts'

/**
 * A redirect or 3-D Secure session for a request without a token.
 *
 * @returns undefined where there is none, or it belongs to a sandbox that is off
 */
export async function readVisit(
  { storage, directory }: Pick<Context, 'storage' | 'directory'>,
  id: string,
): Promise<VisitRow | undefined> {
  const visit = await storage.visit(id)
  return visit && !directory.isVoid(visit.merchant) ? visit : undefined
}
