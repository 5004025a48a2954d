import type { RiskAccount, RiskSubject } from './risk-subject.ts'

/** Parameters that hold an account which cannot be decrypted here. */
const encrypted = [
  'walletA.paymentToken',
  'walletB.paymentToken',
  'walletC.paymentToken',
  'pos.encryptedSred.data',
] as const

/** The parameters of a check that it cannot look into. */
export function notChecked({ call, account, among }: RiskSubject): readonly string[] {
  const { values } = call.parameters
  // A payment goes to an acquirer; a check by itself would go to an external risk system, and none is connected.
  const goesElsewhere = among === 'check' && values.get('testMode') === 'EXTERNAL'
  return goesElsewhere ? ['testMode', ...encryptedAccount({ call, account })] : encryptedAccount({ call, account })
}

/** Where the account stands that cannot be decrypted; none where its number was sent. */
export const encryptedAccount = (of: Pick<RiskSubject, 'call'> & { readonly account: RiskAccount }) =>
  of.account.number ? [] : encrypted.filter((name) => of.call.parameters.secrets.has(name))

/** Their description in answers. */
export function describeNotChecked(names: readonly string[]): string {
  const sentences = names.map((name) =>
    name === 'testMode'
      ? ' No external risk system is connected, so testMode EXTERNAL adds nothing to the rules of the channel.'
      : ` The account in ${name} was not checked: it cannot be decrypted here.`,
  )
  return sentences.join('')
}
