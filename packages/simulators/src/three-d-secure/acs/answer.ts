import { encodeMessage } from '@tollgate/three-d-secure'
import type { SimulatorResponse } from '../../http/exchange.ts'
import type { Call } from '../../http/routes.ts'
import { acsPage } from '../answers.ts'
import { challengePage } from '../pages/challenge-page.ts'
import { forwardPage } from '../pages/forward-page.ts'
import { problemPage } from '../pages/problem-page.ts'
import { textsFor } from '../pages/texts.ts'
import type { World } from '../world.ts'
import { judgePassword } from './passwords.ts'
import { end } from './result.ts'
import type { Result, Session } from './sessions.ts'
import { findSession } from './timeouts.ts'

/** `POST /acs/answer`, from the challenge's own page: `acsTransID`, and `password` or `cancel`. */
export async function answer(world: World, { headers, body }: Call): Promise<SimulatorResponse> {
  const form = new URLSearchParams(body)
  const session = await findSession(world, form.get('acsTransID') ?? '')
  // A page that was open when its time ran out, or that was sent twice, goes on to what stands.
  if (session?.state === 'ended' && session.result) return goOn(world, session, await session.result)
  if (session?.state !== 'open') {
    const texts = textsFor(undefined, headers['accept-language'])
    return acsPage(problemPage(world.url, texts, '301', 'acsTransID'), 400)
  }
  const result = resultOf(session, form)
  return result ? goOn(world, session, await end(world, session, result)) : acsPage(challengePage(world.url, session))
}

const resultOf = (session: Session, form: URLSearchParams): Result | undefined =>
  form.has('cancel') ? { status: 'N', reason: '01', cancel: '01' } : judgePassword(session, form.get('password') ?? '')

/** The browser goes back to the 3DS server with the challenge's end, which proves nothing by itself. */
function goOn({ url }: World, session: Session, { status }: Result): SimulatorResponse {
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
  return acsPage(forwardPage(url, textsFor(areq.browserLanguage), areq.notificationURL ?? '', fields))
}
