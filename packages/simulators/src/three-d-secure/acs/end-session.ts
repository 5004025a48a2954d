import { authenticatedAmount, type MessageOf, readMessage, writeMessage } from '@tollgate/three-d-secure'
import { authenticationValueOf } from '../ds/authentication-value.ts'
import { simulatedEciOf } from '../ds/eci.ts'
import { limits } from '../../limits.ts'
import { simulatorCavvKey } from '../cavv.ts'
import type { ThreeDSecureEnvironment } from '../environment.ts'
import { contextOf, type Result, type Session } from './sessions.ts'

/**
 * Ends a session with its first result; a later result changes nothing. The results request is sent to the 3DS server
 * before a browser or app receives the result, unless the card has the fault `noResult`.
 *
 * @returns the first result, after its delivery to the 3DS server has succeeded or failed
 */
export async function endSession(
  environment: ThreeDSecureEnvironment,
  session: Session,
  result: Result,
): Promise<Result> {
  session.result ??= deliver(environment, session, result)
  return session.result
}

async function deliver(environment: ThreeDSecureEnvironment, session: Session, result: Result): Promise<Result> {
  const isDecoupled = session.state === 'decoupled'
  session.state = 'ended'
  session.dueMs = environment.clock.now() + limits.endedChallengeMs
  const bytes = writeMessage('RReq', resultsRequestOf(session, result, isDecoupled), contextOf(session))
  session.areq.acctNumber.wipe()
  if (session.fault !== 'noResult') await send(environment, session, Buffer.from(bytes).toString('utf8'))
  return result
}

async function send(environment: ThreeDSecureEnvironment, session: Session, rreq: string): Promise<void> {
  const { acsTransID, dsTransID, areq } = session
  const context = { ...contextOf(session), acsTransID, dsTransID, threeDSServerTransID: areq.threeDSServerTransID }
  for (let attempt = 0; attempt < limits.resultAttemptsMax; attempt++) {
    const rres = await environment.post(areq.threeDSServerURL, rreq)
    if (rres && 'ok' in readMessage('RRes', rres, context)) return
  }
}

function resultsRequestOf(session: Session, result: Result, isDecoupled: boolean): MessageOf<'RReq'> {
  const { areq, acsTransID, dsTransID, brand, tries } = session
  const { status, reason, cancel } = result
  const reportedAmount = session.fault === 'otherAmount' ? `${session.amount}1` : session.amount
  const purchaseCurrency = areq.purchaseCurrency ?? ''
  return {
    messageVersion: areq.messageVersion,
    messageExtension:
      reportedAmount === '' ? undefined : [authenticatedAmount({ purchaseAmount: reportedAmount, purchaseCurrency })],
    messageCategory: areq.messageCategory,
    threeDSServerTransID: areq.threeDSServerTransID,
    acsTransID,
    dsTransID,
    sdkTransID: areq.messageVersion === '2.1.0' ? undefined : areq.sdkTransID,
    transStatus: status,
    transStatusReason: reason,
    eci: status === 'Y' || status === 'A' ? simulatedEciOf(brand, status) : undefined,
    authenticationValue: authenticationValueOf({ areq, acsTransID, amount: reportedAmount }, status, simulatorCavvKey),
    authenticationType: isDecoupled ? '04' : '02',
    acsRenderingType:
      areq.deviceChannel === '01' && !isDecoupled ? { acsInterface: '01', acsUiTemplate: '01' } : undefined,
    interactionCounter: isDecoupled ? undefined : String(tries).padStart(2, '0'),
    challengeCancel: cancel,
  }
}
