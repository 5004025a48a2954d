import type { World } from '../world.ts'
import { end } from './result.ts'
import type { Result, Session, SessionState } from './sessions.ts'

/** What a state ends with, where nobody ends it. */
const endings: Readonly<Record<Exclude<SessionState, 'ended'>, Result>> = {
  /** No challenge request came. */
  waiting: { status: 'N', reason: '14', cancel: '05' },
  /** The shopper did nothing. */
  open: { status: 'N', reason: '14', cancel: '04' },
  /** The cardholder said yes. */
  decoupled: { status: 'Y' },
}

/** Does what has fallen due: challenges that nobody ends, decoupled authentication, and forgetting. */
export async function endDue(world: World): Promise<void> {
  await Promise.all(world.sessions.due(world.now()).map((session) => endByTime(world, session)))
}

/** A transaction as it is now, whether or not anybody has looked at the clock since. */
export async function findSession(world: World, acsTransID: string): Promise<Session | undefined> {
  const session = world.sessions.find(acsTransID)
  if (session && session.state !== 'ended' && session.dueMs <= world.now()) await endByTime(world, session)
  return session
}

async function endByTime(world: World, session: Session): Promise<void> {
  if (session.state === 'ended') world.sessions.drop(session)
  else await end(world, session, endings[session.state])
}
