import type { Precondition } from '@tollgate/connectors'
import { encodeMethodData } from '@tollgate/three-d-secure'
import { authenticationPage } from '../payments/visits/visit-record.ts'
import { uuidOf } from './server.ts'

/** `threeDSMethodData`: which authentication the issuer looks at the browser for, and where it tells that it has. */
export const methodDataOf = (url: string, visitId: string): string =>
  encodeMethodData({
    threeDSServerTransID: uuidOf(visitId),
    threeDSMethodNotificationURL: `${authenticationPage(url, visitId)}/looked`,
  })

/**
 * The issuer's look at the browser (3DS Method) for clients that have it done on the merchant's page: "redirect.
 * preconditions" (interop, Responses), in the words that deployed clients know. Our page has it done in any case.
 */
export const methodPrecondition = (methodUrl: string, url: string, visitId: string): Precondition => ({
  origin: 'iframe#hidden',
  waitUntil: 'iframe#onload',
  description: 'Hidden iframe post for 3D Secure 2.0',
  method: 'POST',
  url: methodUrl,
  parameters: [{ name: 'threeDSMethodData', value: methodDataOf(url, visitId) }],
})
