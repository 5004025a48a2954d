import { decodeMessage, type Fault, fault } from '@tollgate/three-d-secure'
import type { FastifyReply } from 'fastify'
import type { TextRequest } from '../../http/server.ts'
import { limits } from '../../limits.ts'
import { challengePage } from '../pages/challenge-page.ts'
import { problemPage } from '../pages/problem-page.ts'
import { textsFor } from '../pages/texts.ts'
import { sendAcsPage } from '../replies.ts'
import type { ThreeDSecureEnvironment } from '../environment.ts'
import type { Session } from './sessions.ts'
import { findSession } from './timeouts.ts'

/**
 * `POST /acs/challenge`: the shopper's browser sends `creq` and `threeDSSessionData`. A challenge is shown once: a
 * repeated request, or a request of another transaction, is refused and changes nothing.
 */
export async function challenge(
  environment: ThreeDSecureEnvironment,
  { headers, body }: TextRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const form = new URLSearchParams(body)
  const session = await sessionToOpen(environment, form)
  if ('errorCode' in session) {
    const texts = textsFor(undefined, headers['accept-language'])
    return sendAcsPage(reply.code(400), problemPage(environment.url, texts, session.errorCode, session.errorDetail))
  }
  session.state = 'open'
  session.dueMs = environment.clock.now() + limits.challengeMs
  session.sessionData = form.get('threeDSSessionData') ?? undefined
  return sendAcsPage(reply, challengePage(environment.url, session))
}

/** Finds the session of a challenge request; a fault if the request is refused. */
async function sessionToOpen(environment: ThreeDSecureEnvironment, form: URLSearchParams): Promise<Session | Fault> {
  const read = decodeMessage('CReq', form.get('creq') ?? '', { deviceChannel: '02' })
  if (!('ok' in read)) return 'fault' in read ? read.fault : fault('101', 'messageType')
  const session = await findSession(environment, read.ok.acsTransID)
  if (!session) return fault('301', 'acsTransID')
  const { areq } = session
  const isSameServer = read.ok.threeDSServerTransID.toLowerCase() === areq.threeDSServerTransID.toLowerCase()
  if (!isSameServer) return fault('301', 'threeDSServerTransID')
  if (session.state !== 'waiting' || areq.deviceChannel !== '02') return fault('301', 'acsTransID')
  if (read.ok.messageVersion !== areq.messageVersion) return fault('102', 'messageVersion')
  if ((form.get('threeDSSessionData')?.length ?? 0) > limits.sessionDataCharsMax)
    return fault('203', 'threeDSSessionData')
  return session
}
