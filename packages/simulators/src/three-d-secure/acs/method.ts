import { decodeMethodData, encodeMethodData } from '@tollgate/three-d-secure'
import type { FastifyReply } from 'fastify'
import type { TextRequest } from '../../http/server.ts'
import { forwardPage } from '../pages/forward-page.ts'
import { problemPage } from '../pages/problem-page.ts'
import { textsFor } from '../pages/texts.ts'
import { sendAcsPage } from '../replies.ts'
import type { ThreeDSecureEnvironment } from '../environment.ts'

/** `POST /acs/method`: a real ACS would collect data of the browser here; the simulator returns at once. */
export function method(
  { url }: ThreeDSecureEnvironment,
  { headers, body }: TextRequest,
  reply: FastifyReply,
): FastifyReply {
  const texts = textsFor(undefined, headers['accept-language'])
  const data = decodeMethodData(new URLSearchParams(body).get('threeDSMethodData') ?? '')
  const target = data?.threeDSMethodNotificationURL
  if (!data || target === undefined)
    return sendAcsPage(reply.code(400), problemPage(url, texts, '203', 'threeDSMethodData'))
  const { threeDSServerTransID } = data
  const fields = [['threeDSMethodData', encodeMethodData({ threeDSServerTransID })]] as const
  return sendAcsPage(reply, forwardPage(url, texts, target, fields))
}
