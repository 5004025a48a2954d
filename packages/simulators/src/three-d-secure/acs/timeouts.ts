import type { ThreeDSecureEnvironment } from '../environment.ts'
import { endSession } from './end-session.ts'
import type { Result, Session, SessionState } from './sessions.ts'

/** Results of states that end by their timeout. */
const endings: Readonly<Record<Exclude<SessionState, 'ended'>, Result>> = {
  /** No challenge request arrived. */
  waiting: { status: 'N', reason: '14', cancel: '05' },
  /** The shopper did not answer. */
  open: { status: 'N', reason: '14', cancel: '04' },
  /** The cardholder agreed. */
  decoupled: { status: 'Y' },
}

/** Ends abandoned challenges and decoupled authentications that are due, and drops ended sessions that are due. */
export async function endDueSessions(environment: ThreeDSecureEnvironment): Promise<void> {
  await Promise.all(environment.sessions.due(environment.clock.now()).map((session) => endOrDrop(environment, session)))
}

/** Finds a session. A session whose state has timed out is ended first. */
export async function findSession(
  environment: ThreeDSecureEnvironment,
  acsTransID: string,
): Promise<Session | undefined> {
  const session = environment.sessions.find(acsTransID)
  if (session && session.state !== 'ended' && session.dueMs <= environment.clock.now())
    await endOrDrop(environment, session)
  return session
}

async function endOrDrop(environment: ThreeDSecureEnvironment, session: Session): Promise<void> {
  if (session.state === 'ended') environment.sessions.drop(session)
  else await endSession(environment, session, endings[session.state])
}
