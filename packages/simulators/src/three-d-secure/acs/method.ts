import { decodeMethodData, encodeMethodData } from '@tollgate/three-d-secure'
import type { SimulatorResponse } from '../../http/exchange.ts'
import type { Call } from '../../http/routes.ts'
import { acsPage } from '../answers.ts'
import { forwardPage } from '../pages/forward-page.ts'
import { problemPage } from '../pages/problem-page.ts'
import { textsFor } from '../pages/texts.ts'
import type { World } from '../world.ts'

/** `POST /acs/method`: a real ACS would look at the browser now; this one says at once that it is done. */
export function method({ url }: World, { headers, body }: Call): SimulatorResponse {
  const texts = textsFor(undefined, headers['accept-language'])
  const data = decodeMethodData(new URLSearchParams(body).get('threeDSMethodData') ?? '')
  const target = data?.threeDSMethodNotificationURL
  if (!data || target === undefined) return acsPage(problemPage(url, texts, '203', 'threeDSMethodData'), 400)
  const { threeDSServerTransID } = data
  return acsPage(forwardPage(url, texts, target, [['threeDSMethodData', encodeMethodData({ threeDSServerTransID })]]))
}
