import type { ThreeDSecureFault } from '@tollgate/connectors'
import type { BrandCode } from '@tollgate/contract'
import type { Context, MessageOf } from '@tollgate/three-d-secure'
import { limits } from '../../limits.ts'

/**
 * `waiting`: the ARes announced a challenge, which is not shown yet. `open`: the challenge is shown. `decoupled`: the
 * issuer authenticates its cardholder outside of the browser. `ended`: the result is known.
 */
export type SessionState = 'waiting' | 'open' | 'decoupled' | 'ended'

/** Result of a challenge. */
export interface Result {
  readonly status: 'Y' | 'A' | 'N' | 'U' | 'R'
  readonly reason?: string
  /** `challengeCancel`, if the challenge ended early. */
  readonly cancel?: string
}

/** State of a transaction at the ACS. Its card number is wiped as soon as the result is known. */
export interface Session {
  readonly areq: MessageOf<'AReq'>
  readonly acsTransID: string
  readonly dsTransID: string
  readonly brand: BrandCode
  readonly fault: ThreeDSecureFault | undefined
  /** Last four digits, for the page. */
  readonly last4: string
  /** Minor units, as `purchaseAmount`; empty without a payment. */
  readonly amount: string
  state: SessionState
  /** Time at which the state times out, epoch milliseconds. */
  dueMs: number
  /** Number of entered passwords. */
  tries: number
  /** `threeDSSessionData`, which is returned with the answer. */
  sessionData: string | undefined
  /** The result, once it is known; resolves when its delivery has succeeded or failed. */
  result: Promise<Result> | undefined
}

/**
 * Context of every message of the transaction. A message category that a network defines counts as non-payment (02).
 */
export const contextOf = ({ areq }: Session): Context => ({
  messageVersion: areq.messageVersion,
  deviceChannel: areq.deviceChannel,
  messageCategory: areq.messageCategory === '01' ? '01' : '02',
})

/** Sessions in progress, and recently ended ones. */
export interface Sessions {
  add(session: Session): void
  /** Finds a session by its id, which is case-insensitive. */
  find(acsTransID: string): Session | undefined
  /** Sessions whose state times out at or before `nowMs`. */
  due(nowMs: number): readonly Session[]
  /** Removes a session, and wipes its card number. */
  drop(session: Session): void
  readonly size: number
}

/**
 * Creates a set of at most `limits.challengesMax` sessions in memory. Adding to a full set drops the oldest session.
 */
export function createSessions(): Sessions {
  const sessions = new Map<string, Session>()
  const drop = (session: Session): void => {
    session.areq.acctNumber.wipe()
    sessions.delete(session.acsTransID)
  }
  return {
    add: (session) => {
      const [oldest] = sessions.values()
      if (oldest && sessions.size === limits.challengesMax) drop(oldest)
      sessions.set(session.acsTransID, session)
    },
    find: (acsTransID) => sessions.get(acsTransID.toLowerCase()),
    due: (nowMs) => [...sessions.values()].filter(({ dueMs }) => dueMs <= nowMs),
    drop,
    get size() {
      return sessions.size
    },
  }
}
