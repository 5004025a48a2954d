import type { Registration } from '@tollgate/domain'
import type { Context } from '../context.ts'
import type { AccountOnFile } from '../parameters/account-on-file.ts'
import type { SentAccount } from '../parameters/account.ts'
import { type AccountRequest, isOnFile } from '../parameters/account-request.ts'
import { restrictToChannel, registrationOf } from '../records/registration-record.ts'
import type { Instrument } from './instrument.ts'
import { instrumentOfRequest } from './instrument-of-request.ts'
import { instrumentOfRegistration } from './stored-instrument.ts'

/** The account of a request, sent or stored. */
export interface ResolvedAccount {
  /** The request; if its entityId has several channels, it keeps only the channel of the stored account. */
  readonly request: AccountRequest
  readonly instrument: Instrument
  /** undefined: the account is in the request, or its registration does not exist or belongs to another merchant. */
  readonly registration: Registration | undefined
}

/** The account in a request, or the account of its registration. */
export const resolveAccount = (
  context: Context,
  request: AccountRequest<SentAccount> | AccountRequest<AccountOnFile>,
): ResolvedAccount | Promise<ResolvedAccount> =>
  isOnFile(request)
    ? resolveStored(context, request)
    : { request, instrument: instrumentOfRequest(request), registration: undefined }

async function resolveStored(context: Context, request: AccountRequest<AccountOnFile>): Promise<ResolvedAccount> {
  const registration = await registrationOf(context, request, request.account.registrationId ?? '')
  const narrowed = restrictToChannel(request, registration)
  return {
    request: narrowed,
    instrument: await instrumentOfRegistration(context, narrowed, registration),
    registration,
  }
}
