import { resultOfAuthentication, statusOf } from '@tollgate/domain'
import type { SessionRow } from '@tollgate/storage'
import type { Answer, RequestMark } from '../answer.ts'
import type { PendingUnit } from '../pending-unit.ts'
import type { Context } from '../context.ts'
import { narrow } from '../narrow.ts'
import { shreddedAccount } from '../records/account-record.ts'
import { outcomeWith } from '../records/outcome.ts'
import { isStatus } from '../records/payment-record.ts'
import { readSessionPayment } from '../records/read-session.ts'
import { readEcho } from '../records/stored-json.ts'
import { answerAbout } from '../records/transaction-view.ts'
import { progressOf } from '../records/session-record.ts'
import { flowOf, withResult } from './authentication-result.ts'

/**
 * Completes an authentication without a payment once the issuer has responded or the session has expired; an earlier
 * call changes nothing. Calls may be concurrent and repeated: one of them completes the authentication, and the other
 * calls read the result.
 */
export function finishStandalone(context: Context, session: SessionRow): Promise<Answer> {
  const { ids, clock, commands } = context
  const mark = { requestId: ids.ordered(), atMs: clock.now() }
  return commands.execute(mark, undefined, () => decideStandaloneCompletion(context, mark, session), {
    mutexKey: session.transaction_id,
  })
}

async function decideStandaloneCompletion(
  context: Context,
  mark: RequestMark,
  staleSession: SessionRow,
): Promise<PendingUnit> {
  const { storage } = context
  const session = (await storage.session(staleSession.id)) ?? staleSession
  const { row: from, channel } = await readSessionPayment(context, session)
  const state = progressOf(session).authenticating
  const outcome = state?.outcome ?? (mark.atMs >= session.expires_at_ms ? 'timeout' : undefined)
  if (outcome === undefined || narrow(isStatus, from.status) !== 'PENDING') {
    return { answer: answerAbout(context, mark, from) }
  }
  const { code, reason } = resultOfAuthentication(outcome, flowOf(state), channel.settings)
  const to = {
    ...from,
    status: statusOf(code),
    result_code: code,
    outcome: outcomeWith(from.outcome, { code, details: { ExtendedDescription: reason } }),
    echo: JSON.stringify(withResult(readEcho(from.echo), state)),
  }
  const account = await storage.account(from.id)
  // The number is no longer needed.
  const erased = account?.sealed ? [{ table: 'account' as const, from: account, to: shreddedAccount(account) }] : []
  return {
    answer: answerAbout(context, mark, to),
    transaction: { row: to, from },
    compareAndSets: erased,
    erases: erased.length > 0,
  }
}
