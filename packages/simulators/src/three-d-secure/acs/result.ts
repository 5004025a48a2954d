import { authenticatedAmount, type MessageOf, readMessage, writeMessage } from '@tollgate/three-d-secure'
import { indicatorOf } from '../ds/indicators.ts'
import { proofOf } from '../ds/proof.ts'
import { limits } from '../../limits.ts'
import type { World } from '../world.ts'
import { contextOf, type Result, type Session } from './sessions.ts'

/**
 * Ends a transaction: the first result stands, whoever brings another one. It is told to the 3DS server before anybody
 * hears of it from the browser.
 *
 * @returns the result that stands, once the 3DS server has it or could not be reached
 */
export async function end(world: World, session: Session, result: Result): Promise<Result> {
  session.result ??= deliver(world, session, result)
  return session.result
}

async function deliver(world: World, session: Session, result: Result): Promise<Result> {
  const decoupled = session.state === 'decoupled'
  session.state = 'ended'
  session.dueMs = world.now() + limits.endedChallengeMs
  const bytes = writeMessage('RReq', resultOf(world, session, result, decoupled), contextOf(session))
  session.areq.acctNumber.wipe()
  if (session.fault !== 'noResult') await send(world, session, Buffer.from(bytes).toString('utf8'))
  return result
}

async function send(world: World, session: Session, rreq: string): Promise<void> {
  const { acsTransID, dsTransID, areq } = session
  const context = { ...contextOf(session), acsTransID, dsTransID, threeDSServerTransID: areq.threeDSServerTransID }
  for (let attempt = 0; attempt < limits.resultAttemptsMax; attempt++) {
    const rres = await world.post(areq.threeDSServerURL, rreq)
    if (rres && 'ok' in readMessage('RRes', rres, context)) return
  }
}

function resultOf(world: World, session: Session, result: Result, decoupled: boolean): MessageOf<'RReq'> {
  const { areq, acsTransID, dsTransID, brand, tries } = session
  const { status, reason, cancel } = result
  const shown = session.fault === 'otherAmount' ? `${session.amount}1` : session.amount
  const purchaseCurrency = areq.purchaseCurrency ?? ''
  return {
    messageVersion: areq.messageVersion,
    messageExtension: shown === '' ? undefined : [authenticatedAmount({ purchaseAmount: shown, purchaseCurrency })],
    messageCategory: areq.messageCategory,
    threeDSServerTransID: areq.threeDSServerTransID,
    acsTransID,
    dsTransID,
    sdkTransID: areq.messageVersion === '2.1.0' ? undefined : areq.sdkTransID,
    transStatus: status,
    transStatusReason: reason,
    eci: status === 'Y' || status === 'A' ? indicatorOf(brand, status) : undefined,
    authenticationValue: proofOf({ areq, acsTransID, amount: shown }, status, world.cavvKey),
    authenticationType: decoupled ? '04' : '02',
    acsRenderingType:
      areq.deviceChannel === '01' && !decoupled ? { acsInterface: '01', acsUiTemplate: '01' } : undefined,
    interactionCounter: decoupled ? undefined : String(tries).padStart(2, '0'),
    challengeCancel: cancel,
  }
}
