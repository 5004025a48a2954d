import { decodeForm } from '@tollgate/contract'
import type { Channel } from './directory/channel.ts'
import type { Context } from './context.ts'
import type { Call } from './request.ts'

/**
 * A command that the system itself initiates when a timer is due, as the merchant could have sent it.
 *
 * @param id path parameter, '' for none
 * @param parameters canonical names; no secret is among them
 */
export function systemCommand(
  { ids, clock }: Pick<Context, 'ids' | 'clock'>,
  channel: Channel,
  id: string,
  parameters: Readonly<Record<string, string>>,
): Call {
  return {
    requestId: ids.ordered(),
    atMs: clock.now(),
    caller: { tokenId: '', entityId: channel.id, rights: ['system'] },
    entityId: channel.id,
    channels: [channel],
    id,
    parameters: decodeForm(Buffer.from(new URLSearchParams(parameters).toString())),
    claim: undefined,
  }
}
