import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { addDuration } from '@tollgate/domain'
import { Type } from 'typebox'
import type { Gateway } from '../../gateway.ts'
import { limits } from '../../limits.ts'
import { ManageError } from './manage-error.ts'
import { strictObject } from './schemas.ts'
import { instantOf, timeOf } from './instant.ts'

const ClockChange = strictObject({
  advance: Type.Optional(Type.String({ maxLength: 40 })),
  to: Type.Optional(Type.String({ maxLength: 40 })),
})

/** Shows the clock, and fast-forwards the test clock, so that a month of subscriptions runs in seconds. */
export function clockRoutes({ clock, jobs, config }: Gateway): FastifyPluginAsyncTypebox {
  function targetOf({ advance, to }: { readonly advance?: string; readonly to?: string }): number {
    if ((advance === undefined) === (to === undefined)) throw new ManageError(400, 'Send either advance or to.')
    const nowMs = clock.now()
    const targetMs = advance === undefined ? instantOf(to ?? '', 'to') : addDuration(nowMs, advance)
    if (targetMs === undefined) throw new ManageError(400, 'advance must be an ISO 8601 duration such as P1M or PT36H.')
    if (targetMs < nowMs) throw new ManageError(400, 'The clock only goes forward.')
    const name = advance === undefined ? 'to' : 'advance'
    if (targetMs > nowMs + limits.fastForwardLengthMsMax)
      throw new ManageError(400, `${name} is too far: one request advances the clock by at most ten years.`)
    if (targetMs > limits.clockEndMs)
      throw new ManageError(400, `${name} is too far: the clock ends at ${timeOf(limits.clockEndMs)}.`)
    return targetMs
  }

  return async (server) => {
    server.get('/clock', async () => ({ now: timeOf(clock.now()), aheadSeconds: Math.round(clock.offsetMs() / 1000) }))
    server.post('/clock', { schema: { body: ClockChange } }, async ({ body }) => {
      if (config.environment !== 'test')
        throw new ManageError(409, 'The clock can be advanced only in the test environment.')
      const { atMs, isComplete, entries } = await jobs.fastForward(targetOf(body))
      return {
        now: timeOf(atMs),
        isThere: isComplete,
        happened: entries.map(({ atMs: entryMs, ...entry }) => ({ at: timeOf(entryMs), ...entry })),
      }
    })
  }
}
