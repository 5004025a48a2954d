import type { RequestParameters } from '@tollgate/contract'
import type { RequestMark } from './answer.ts'
import type { Channel } from './directory/channel.ts'
import type { Head } from './request-head.ts'

/** The head of a request that the system initiates when a timer is due. */
export const systemHead = (
  { requestId, atMs }: RequestMark,
  channel: Channel,
  parameters: RequestParameters,
): Head => ({
  requestId,
  atMs,
  caller: { tokenId: '', entityId: channel.id, rights: ['system'] },
  entityId: channel.id,
  channels: [channel],
  parameters,
  claim: undefined,
})
