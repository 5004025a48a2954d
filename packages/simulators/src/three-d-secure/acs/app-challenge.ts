import {
  erroOf,
  type Fault,
  fault,
  type MessageOf,
  parseMessage,
  readMessage,
  writeMessage,
} from '@tollgate/three-d-secure'
import { limits } from '../../limits.ts'
import { textsFor } from '../pages/texts.ts'
import type { ThreeDSecureEnvironment } from '../environment.ts'
import { checkPassword } from './check-password.ts'
import { endSession } from './end-session.ts'
import { contextOf, type Result, type Session } from './sessions.ts'
import { findSession } from './timeouts.ts'

/**
 * `POST /acs/app`: the challenge of an app, in plain JSON. The SDK would encrypt each message for the ACS (JWE, with
 * the keys of `acsSignedContent`); these are the messages inside that envelope.
 */
export async function appChallenge(environment: ThreeDSecureEnvironment, body: string): Promise<Uint8Array> {
  const parsed = parseMessage(body)
  if ('fault' in parsed) return refuse(parsed.fault)
  const { acsTransID } = parsed.fields
  const session = typeof acsTransID === 'string' ? await findSession(environment, acsTransID) : undefined
  if (session?.areq.deviceChannel !== '01' || session.state === 'decoupled') return refuse(fault('301', 'acsTransID'))
  const { threeDSServerTransID, sdkTransID } = session.areq
  const read = readMessage('CReq', parsed, { ...contextOf(session), threeDSServerTransID, sdkTransID })
  if (!('ok' in read)) return refuse('fault' in read ? read.fault : fault('101', 'messageType'), session)
  return writeMessage('CRes', await answerCReq(environment, session, read.ok), contextOf(session))
}

async function answerCReq(
  environment: ThreeDSecureEnvironment,
  session: Session,
  creq: MessageOf<'CReq'>,
): Promise<MessageOf<'CRes'>> {
  const common = commonOf(session, creq)
  if (session.state === 'waiting') {
    session.state = 'open'
    session.dueMs = environment.clock.now() + limits.challengeMs
  }
  const result = session.state === 'ended' ? await session.result : resultOf(session, creq)
  if (!result) return { ...common, ...prompt(session) }
  const { status } = await endSession(environment, session, result)
  return { ...common, challengeCompletionInd: 'Y', transStatus: status === 'Y' || status === 'A' ? 'Y' : 'N' }
}

function resultOf(session: Session, { challengeCancel, challengeDataEntry }: MessageOf<'CReq'>): Result | undefined {
  if (challengeCancel !== undefined) return { status: 'N', reason: '01', cancel: challengeCancel }
  return challengeDataEntry === undefined ? undefined : checkPassword(session, challengeDataEntry)
}

const commonOf = ({ areq, acsTransID }: Session, { sdkCounterStoA }: MessageOf<'CReq'>) => ({
  messageVersion: areq.messageVersion,
  threeDSServerTransID: areq.threeDSServerTransID,
  acsTransID,
  sdkTransID: areq.sdkTransID,
  acsCounterAtoS: sdkCounterStoA,
})

function prompt({ tries }: Session) {
  const texts = textsFor(undefined)
  return {
    challengeCompletionInd: 'N',
    acsUiType: '01',
    challengeInfoHeader: texts.title,
    challengeInfoText: tries === 0 ? texts.explain : texts.wrong,
    challengeInfoTextIndicator: tries === 0 ? 'N' : 'Y',
    challengeInfoLabel: texts.password,
    submitAuthenticationLabel: texts.confirm,
  } as const
}

function refuse(reason: Fault, session?: Session): Uint8Array {
  const origin = { errorComponent: 'A', errorMessageType: 'CReq' } as const
  if (!session) return writeMessage('Erro', erroOf(reason, origin))
  const { messageVersion, threeDSServerTransID, sdkTransID } = session.areq
  const { acsTransID, dsTransID } = session
  const ids = { messageVersion, threeDSServerTransID, sdkTransID, acsTransID, dsTransID }
  return writeMessage('Erro', erroOf(reason, { ...origin, ...ids }))
}
