import { decodeMessage, type Fault, fault } from '@tollgate/three-d-secure'
import type { SimulatorResponse } from '../../http/exchange.ts'
import type { Call } from '../../http/routes.ts'
import { limits } from '../../limits.ts'
import { acsPage } from '../answers.ts'
import { challengePage } from '../pages/challenge-page.ts'
import { problemPage } from '../pages/problem-page.ts'
import { textsFor } from '../pages/texts.ts'
import type { World } from '../world.ts'
import type { Session } from './sessions.ts'
import { findSession } from './timeouts.ts'

/**
 * `POST /acs/challenge`, by the shopper's browser: `creq`, `threeDSSessionData`. A challenge is shown once: a request
 * that comes again, or of another transaction, is refused and changes nothing.
 */
export async function challenge(world: World, { headers, body }: Call): Promise<SimulatorResponse> {
  const form = new URLSearchParams(body)
  const opened = await open(world, form)
  if ('errorCode' in opened) {
    const texts = textsFor(undefined, headers['accept-language'])
    return acsPage(problemPage(world.url, texts, opened.errorCode, opened.errorDetail), 400)
  }
  opened.state = 'open'
  opened.dueMs = world.now() + limits.challengeMs
  opened.sessionData = form.get('threeDSSessionData') ?? undefined
  return acsPage(challengePage(world.url, opened))
}

async function open(world: World, form: URLSearchParams): Promise<Session | Fault> {
  const read = decodeMessage('CReq', form.get('creq') ?? '', { deviceChannel: '02' })
  if (!('ok' in read)) return 'fault' in read ? read.fault : fault('101', 'messageType')
  const session = await findSession(world, read.ok.acsTransID)
  if (!session) return fault('301', 'acsTransID')
  const { areq } = session
  const own = read.ok.threeDSServerTransID.toLowerCase() === areq.threeDSServerTransID.toLowerCase()
  if (!own) return fault('301', 'threeDSServerTransID')
  if (session.state !== 'waiting' || areq.deviceChannel !== '02') return fault('301', 'acsTransID')
  if (read.ok.messageVersion !== areq.messageVersion) return fault('102', 'messageVersion')
  if ((form.get('threeDSSessionData')?.length ?? 0) > limits.sessionDataCharsMax)
    return fault('203', 'threeDSSessionData')
  return session
}
