import type { RiskTerms } from '../parameters/risk.ts'
import type { RiskAccount, RiskSubject } from './risk-subject.ts'

/** The parameters of a check that it cannot look into. */
export function notChecked({ request, account, among }: RiskSubject): readonly string[] {
  // A payment goes to an acquirer; a check by itself would go to an external risk system, and none is connected.
  const goesElsewhere = among === 'check' && request.reference.testMode === 'EXTERNAL'
  const encrypted = encryptedAccounts(request.risk, account)
  return goesElsewhere ? ['testMode', ...encrypted] : encrypted
}

/** The parameters with an account that the gateway cannot decrypt; none if its number was sent. */
export const encryptedAccounts = (risk: RiskTerms, { number }: RiskAccount): readonly string[] =>
  number ? [] : risk.encryptedAccounts

/** Their description in answers. */
export function describeNotChecked(names: readonly string[]): string {
  const sentences = names.map((name) =>
    name === 'testMode'
      ? ' No external risk system is connected, so testMode EXTERNAL adds nothing to the rules of the channel.'
      : ` The account in ${name} was not checked: it cannot be decrypted here.`,
  )
  return sentences.join('')
}
