import type { MessageOf } from '@tollgate/three-d-secure'
import { limits } from '../../limits.ts'
import { drawUuid, type ThreeDSecureEnvironment } from '../environment.ts'
import type { Session } from './sessions.ts'

/** Creates the session of an authentication request. */
export function newSession(
  environment: ThreeDSecureEnvironment,
  areq: MessageOf<'AReq'>,
  facts: Pick<Session, 'dsTransID' | 'brand' | 'fault' | 'state'>,
): Session {
  return {
    ...facts,
    areq,
    acsTransID: drawUuid(environment),
    last4: areq.acctNumber.use((digits) => Buffer.from(digits.subarray(-4)).toString('latin1')),
    amount: areq.purchaseAmount ?? '',
    dueMs: environment.clock.now() + (facts.state === 'decoupled' ? limits.decoupledMs : limits.challengeMs),
    tries: 0,
    sessionData: undefined,
    result: undefined,
  }
}
