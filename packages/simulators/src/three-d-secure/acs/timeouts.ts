import type { ThreeDSecureEnvironment } from '../environment.ts'
import { end } from './result.ts'
import type { Result, Session, SessionState } from './sessions.ts'

/** Results of states that end by their timeout. */
const endings: Readonly<Record<Exclude<SessionState, 'ended'>, Result>> = {
  /** No challenge request arrived. */
  waiting: { status: 'N', reason: '14', cancel: '05' },
  /** The shopper did nothing. */
  open: { status: 'N', reason: '14', cancel: '04' },
  /** The cardholder agreed. */
  decoupled: { status: 'Y' },
}

/** Ends what is due: abandoned challenges, decoupled authentications, and ended transactions. */
export async function endDue(environment: ThreeDSecureEnvironment): Promise<void> {
  await Promise.all(environment.sessions.due(environment.clock.now()).map((session) => endByTime(environment, session)))
}

/** A transaction in its present state: one that is due ends first. */
export async function findSession(
  environment: ThreeDSecureEnvironment,
  acsTransID: string,
): Promise<Session | undefined> {
  const session = environment.sessions.find(acsTransID)
  if (session && session.state !== 'ended' && session.dueMs <= environment.clock.now())
    await endByTime(environment, session)
  return session
}

async function endByTime(environment: ThreeDSecureEnvironment, session: Session): Promise<void> {
  if (session.state === 'ended') environment.sessions.drop(session)
  else await end(environment, session, endings[session.state])
}
