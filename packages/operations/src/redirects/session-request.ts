import { parametersOf } from '@tollgate/contract'
import type { SessionRow, TransactionRow } from '@tollgate/storage'
import type { RequestMark } from '../answer.ts'
import type { Channel } from '../directory/channel.ts'
import type { AccountOnFile } from '../parameters/account-on-file.ts'
import { type AccountRequest, onFileRequest } from '../parameters/account-request.ts'
import type { AuthenticationState } from '../records/session-record.ts'
import { readStoredParameters } from '../records/stored-parameters.ts'
import { provenParameters } from '../three-d-secure/authentication-proof.ts'

/**
 * The original request of a pending payment, with its account as it is stored.
 *
 * @param proof the result of the payment's authentication, if there is one
 */
export function requestOfSession(
  mark: RequestMark,
  session: SessionRow,
  row: TransactionRow,
  channel: Channel,
  proof?: AuthenticationState,
): AccountRequest<AccountOnFile> {
  const sent = parametersOf({ ...readStoredParameters(session.parameters), entityId: channel.id })
  const head = {
    requestId: mark.requestId,
    ndc: mark.ndc,
    atMs: row.created_at_ms,
    caller: { tokenId: '', entityId: channel.id, rights: [] },
    entityId: channel.id,
    channels: [channel],
    parameters: proof ? provenParameters(sent, proof) : sent,
    claim: undefined,
  }
  return onFileRequest('payWithRegistration', head, row.registration_id ?? undefined)
}
