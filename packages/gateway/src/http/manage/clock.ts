import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { afterDuration } from '@tollgate/domain'
import { Type } from 'typebox'
import type { Gateway } from '../../gateway.ts'
import { limits } from '../../limits.ts'
import { ManageError } from './manage-error.ts'
import { exactly } from './schemas.ts'
import { instantOf, timeOf } from './instant.ts'

const Move = exactly({
  advance: Type.Optional(Type.String({ maxLength: 40 })),
  to: Type.Optional(Type.String({ maxLength: 40 })),
})

/** The time, and the fast-forward of the test clock: a month of subscriptions runs in seconds. */
export function clockRoutes({ clock, jobs, config }: Gateway): FastifyPluginAsyncTypebox {
  function goalOf({ advance, to }: { readonly advance?: string; readonly to?: string }): number {
    if ((advance === undefined) === (to === undefined)) throw new ManageError(400, 'Send either advance or to.')
    const nowMs = clock.now()
    const goalMs = advance === undefined ? instantOf(to ?? '', 'to') : afterDuration(nowMs, advance)
    if (goalMs === undefined) throw new ManageError(400, 'advance must be an ISO 8601 duration such as P1M or PT36H.')
    if (goalMs < nowMs) throw new ManageError(400, 'The clock only goes forward.')
    const name = advance === undefined ? 'to' : 'advance'
    if (goalMs > nowMs + limits.journeyLengthMs)
      throw new ManageError(400, `${name} is too far: the clock goes ten years at most at once.`)
    if (goalMs > limits.clockEndMs)
      throw new ManageError(400, `${name} is too far: the clock ends at ${timeOf(limits.clockEndMs)}.`)
    return goalMs
  }

  return async (server) => {
    server.get('/clock', async () => ({ now: timeOf(clock.now()), aheadSeconds: Math.round(clock.ahead() / 1000) }))
    server.post('/clock', { schema: { body: Move } }, async ({ body }) => {
      if (config.environment !== 'test') throw new ManageError(409, 'The clock moves in the test environment only.')
      const { atMs, isThere, happened } = await jobs.fastForward(goalOf(body))
      return {
        now: timeOf(atMs),
        isThere,
        happened: happened.map(({ atMs: eachMs, ...each }) => ({ at: timeOf(eachMs), ...each })),
      }
    })
  }
}
