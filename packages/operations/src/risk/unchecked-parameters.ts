import type { RiskParameters } from '../parameters/risk.ts'
import type { RiskAccount, RiskSubject } from './risk-subject.ts'

/** The names of the parameters that a check cannot use. */
export function uncheckedParameters({ request, account, counterKind }: RiskSubject): readonly string[] {
  // With testMode EXTERNAL a payment is sent to an acquirer. A standalone check would be sent to an external risk
  // system, and none is connected.
  const isExternal = counterKind === 'check' && request.reference.testMode === 'EXTERNAL'
  const encrypted = encryptedAccountParameters(request.risk, account)
  return isExternal ? ['testMode', ...encrypted] : encrypted
}

/** The names of the parameters with an account that the gateway cannot decrypt; none if its number was sent. */
export const encryptedAccountParameters = (risk: RiskParameters, { number }: RiskAccount): readonly string[] =>
  number ? [] : risk.encryptedAccounts

/** The description of unchecked parameters in answers. */
export function describeNotChecked(names: readonly string[]): string {
  const sentences = names.map((name) =>
    name === 'testMode'
      ? ' No external risk system is connected, so testMode EXTERNAL adds nothing to the rules of the channel.'
      : ` The account in ${name} was not checked: it cannot be decrypted here.`,
  )
  return sentences.join('')
}
