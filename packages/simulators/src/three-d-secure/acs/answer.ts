import { encodeMessage } from '@tollgate/three-d-secure'
import type { FastifyReply } from 'fastify'
import type { TextRequest } from '../../http/server.ts'
import { challengePage } from '../pages/challenge-page.ts'
import { forwardPage } from '../pages/forward-page.ts'
import { problemPage } from '../pages/problem-page.ts'
import { textsFor } from '../pages/texts.ts'
import { sendAcsPage } from '../replies.ts'
import type { ThreeDSecureEnvironment } from '../environment.ts'
import { checkPassword } from './check-password.ts'
import { endSession } from './end-session.ts'
import type { Result, Session } from './sessions.ts'
import { findSession } from './timeouts.ts'

/** `POST /acs/answer`: the page of the challenge sends `acsTransID`, and `password` or `cancel`. */
export async function answer(
  environment: ThreeDSecureEnvironment,
  { headers, body }: TextRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const form = new URLSearchParams(body)
  const session = await findSession(environment, form.get('acsTransID') ?? '')
  // After a timeout or a second submission, the browser continues with the stored result.
  if (session?.state === 'ended' && session.result) return forward(environment, reply, session, await session.result)
  if (session?.state !== 'open') {
    const texts = textsFor(undefined, headers['accept-language'])
    return sendAcsPage(reply.code(400), problemPage(environment.url, texts, '301', 'acsTransID'))
  }
  const result = resultOf(session, form)
  if (!result) return sendAcsPage(reply, challengePage(environment.url, session))
  return forward(environment, reply, session, await endSession(environment, session, result))
}

const resultOf = (session: Session, form: URLSearchParams): Result | undefined =>
  form.has('cancel') ? { status: 'N', reason: '01', cancel: '01' } : checkPassword(session, form.get('password') ?? '')

/** Sends the browser back to the 3DS server with the final CRes. The trusted result is in the RReq. */
function forward(
  { url }: ThreeDSecureEnvironment,
  reply: FastifyReply,
  session: Session,
  { status }: Result,
): FastifyReply {
  const { areq, acsTransID, sessionData } = session
  const cres = encodeMessage(
    'CRes',
    {
      messageVersion: areq.messageVersion,
      threeDSServerTransID: areq.threeDSServerTransID,
      acsTransID,
      challengeCompletionInd: 'Y',
      transStatus: status === 'Y' || status === 'A' ? 'Y' : 'N',
    },
    { deviceChannel: '02' },
  )
  const fields: [string, string][] = [['cres', cres]]
  if (sessionData !== undefined) fields.push(['threeDSSessionData', sessionData])
  return sendAcsPage(reply, forwardPage(url, textsFor(areq.browserLanguage), areq.notificationURL ?? '', fields))
}
