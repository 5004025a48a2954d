import type { AcquirerRequest, TerminalAnswer } from '../port.ts'
import type { Outcome } from './outcomes.ts'
import { type References, responseCryptogramOf } from './references.ts'

/** `pos.merchantId` of every answer to a terminal. */
export const acquirerMerchantId = 'TOLLGATE0000001'

/** What a terminal is told; undefined where none asked. */
export function terminalAnswer(
  { parameters, secrets, transactionId, atMs }: AcquirerRequest,
  { response }: Outcome,
  references: References,
  approved: boolean,
): TerminalAnswer | undefined {
  if (!parameters.has('pos.entryMode')) return undefined
  return {
    clearing: {
      authorizationAcquirerCode: response,
      authorizationIssuerCode: approved ? references.approvalCode : undefined,
      identifier: references.retrievalReference,
    },
    merchantId: acquirerMerchantId,
    iccDataResponse: secrets.has('pos.iccDataRequest') ? chipData(transactionId, response) : undefined,
    statusText: approved ? `AUTHCODE${references.approvalCode}` : 'NOTAUTHORISED',
    timestamp: new Date(atMs).toISOString().slice(0, 19).replace('T', ' '),
  }
}

/** For the chip, in tags of EMV: 8A the response, 91 the issuer's authentication (a cryptogram and the response). */
function chipData(transactionId: string, response: string): string {
  const code = Array.from(response, (character) => character.charCodeAt(0).toString(16)).join('')
  return `8A02${code}910A${responseCryptogramOf(transactionId)}${code}`.toUpperCase()
}
