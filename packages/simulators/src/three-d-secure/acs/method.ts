import { decodeMethodData, encodeMethodData } from '@tollgate/three-d-secure'
import { readForm } from '../form.ts'
import { page, type SimulatorReply, type SimulatorRequest } from '../http.ts'
import { forwardPage } from '../pages/forward-page.ts'
import { problemPage } from '../pages/problem-page.ts'
import { textsFor } from '../pages/texts.ts'
import type { World } from '../world.ts'

/** `POST /acs/method`: a real ACS would look at the browser now; this one says at once that it is done. */
export function method(world: World, request: SimulatorRequest): SimulatorReply {
  const texts = textsFor(request.headers['accept-language'])
  const data = decodeMethodData(readForm(request.body).get('threeDSMethodData') ?? '')
  const target = data?.threeDSMethodNotificationURL
  if (!data || target === undefined) return page(problemPage(world.url, texts, '203', 'threeDSMethodData'), 400)
  const { threeDSServerTransID } = data
  return page(
    forwardPage(world.url, texts, target, [['threeDSMethodData', encodeMethodData({ threeDSServerTransID })]]),
  )
}
