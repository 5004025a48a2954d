import type { AcquirerRequest, TerminalAnswer } from '../port.ts'
import type { Outcome } from './outcomes.ts'
import { type References, responseCryptogramOf } from './references.ts'

/** `pos.merchantId` of every answer to a terminal. */
export const acquirerMerchantId = 'TOLLGATE0000001'

/**
 * Fields for a terminal; undefined for a request without a terminal. The answer has the issuer's code and the issuer's
 * data for the chip only if the issuer was reached; a follow-up never reaches the issuer. An offline sale has the code
 * of the terminal.
 */
export function terminalAnswer(
  { parameters, secrets, transactionId, atMs, offlineApproval }: AcquirerRequest,
  { response }: Outcome,
  references: References,
  result: { readonly isApproved: boolean; readonly hasIssuerAnswer: boolean },
): TerminalAnswer | undefined {
  if (!parameters.has('pos.entryMode')) return undefined
  const { isApproved, hasIssuerAnswer } = result
  const approvalCode = offlineApproval?.approvalCode ?? references.approvalCode
  const issuerCode = isApproved && hasIssuerAnswer ? approvalCode : undefined
  const hasChip = hasIssuerAnswer && !offlineApproval && secrets.has('pos.iccDataRequest')
  return {
    clearing: {
      authorizationAcquirerCode: response,
      authorizationIssuerCode: issuerCode,
      identifier: references.retrievalReference,
    },
    merchantId: acquirerMerchantId,
    iccDataResponse: hasChip ? chipData(transactionId, response) : undefined,
    statusText: issuerCode ? `AUTHCODE${issuerCode}` : isApproved ? 'APPROVED' : 'NOTAUTHORISED',
    timestamp: new Date(atMs).toISOString().slice(0, 19).replace('T', ' '),
  }
}

/** EMV tags for the chip: 8A, the response, and 91, the issuer's authentication (a cryptogram and the response). */
function chipData(transactionId: string, response: string): string {
  const code = Array.from(response, (character) => character.charCodeAt(0).toString(16)).join('')
  return `8A02${code}910A${responseCryptogramOf(transactionId)}${code}`.toUpperCase()
}
