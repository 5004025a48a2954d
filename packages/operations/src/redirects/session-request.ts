import { parametersOf } from '@tollgate/contract'
import type { TransactionRow, SessionRow } from '@tollgate/storage'
import type { RequestMark } from '../answer.ts'
import type { Channel } from '../directory/channel.ts'
import type { Call } from '../request.ts'
import { readTexts } from '../records/stored-parameters.ts'

/** The request of a payment that waits, as it was sent. */
export const callOf = (mark: RequestMark, session: SessionRow, row: TransactionRow, channel: Channel): Call => ({
  requestId: mark.requestId,
  ndc: mark.ndc,
  atMs: row.created_at_ms,
  caller: { tokenId: '', entityId: channel.id, rights: [] },
  entityId: channel.id,
  channels: [channel],
  id: row.registration_id ?? '',
  parameters: parametersOf({ ...readTexts(session.parameters), entityId: channel.id }),
  claim: undefined,
})
