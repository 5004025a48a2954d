/**
 * How a request moves money of an account, by its paymentType; undefined where it moves none. Preauthorise and capture
 * at once (PA.CP, older clients) is what a debit is, and so is a rebill.
 */
export function openingType(sent: string | undefined): 'PA' | 'DB' | 'CD' | undefined {
  if (sent === undefined) return undefined
  return sent === 'PA' || sent === 'CD' ? sent : 'DB'
}
