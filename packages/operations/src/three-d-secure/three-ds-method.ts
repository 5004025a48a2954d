import type { Precondition } from '@tollgate/connectors'
import type { SessionRow } from '@tollgate/storage'
import { decodeMethodData, encodeMethodData } from '@tollgate/three-d-secure'
import type { Context } from '../context.ts'
import { unsealNumber } from '../accounts/stored-instrument.ts'
import { authenticationPage } from '../records/session-record.ts'
import { sessionIdOf, serverTransactionIdOf } from './server-transaction-id.ts'

/** `threeDSMethodData`: the id of the authentication, and the address that the issuer notifies after its 3DS Method. */
export const methodDataOf = (url: string, sessionId: string): string =>
  encodeMethodData({
    threeDSServerTransID: serverTransactionIdOf(sessionId),
    threeDSMethodNotificationURL: `${authenticationPage(url, sessionId)}/looked`,
  })

/** The id of the session in a posted `threeDSMethodData`; undefined if the text cannot be decoded. */
export function sessionIdIn(methodData: string): string | undefined {
  const data = decodeMethodData(methodData)
  return data && sessionIdOf(data.threeDSServerTransID)
}

/** The URL of the issuer's 3DS Method for the card of a session; undefined if the issuer has none. */
export async function methodUrlOf(context: Context, session: SessionRow): Promise<string | undefined> {
  const account = await context.storage.account(session.transaction_id)
  const number = account && unsealNumber(context, account)
  if (!number) return undefined
  try {
    return (await context.issuers?.ranges.find(number))?.methodUrl
  } finally {
    number.wipe()
  }
}

/**
 * The 3DS Method for clients that run it on the merchant's page: "redirect. preconditions" (interop, Responses), with
 * the values that deployed clients expect. The session's page runs the 3DS Method whether or not the client did.
 */
export const methodPrecondition = (methodUrl: string, url: string, sessionId: string): Precondition => ({
  origin: 'iframe#hidden',
  waitUntil: 'iframe#onload',
  description: 'Hidden iframe post for 3D Secure 2.0',
  method: 'POST',
  url: methodUrl,
  parameters: [{ name: 'threeDSMethodData', value: methodDataOf(url, sessionId) }],
})
