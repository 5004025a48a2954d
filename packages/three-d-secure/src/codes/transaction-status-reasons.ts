/** Reasons of a transaction status. EMV 3-D Secure, table A.1, `transStatusReason`; the texts are not EMVCo's. */
const table: Readonly<Record<string, string>> = {
  '01': 'card authentication failed',
  '02': 'the device is not known',
  '03': 'the device is not supported',
  '04': 'the authentication frequency limit was exceeded',
  '05': 'the card has expired',
  '06': 'the card number is invalid',
  '07': 'the transaction is invalid',
  '08': 'there is no record of the card',
  '09': 'security failure',
  '10': 'the card is reported stolen',
  '11': 'fraud is suspected',
  '12': 'the transaction is not permitted to the cardholder',
  '13': 'the cardholder is not enrolled',
  '14': 'the ACS timed out',
  '15': 'low confidence',
  '16': 'medium confidence',
  '17': 'high confidence',
  '18': 'very high confidence',
  '19': 'the number of challenges exceeds the limit of the ACS',
  '20': 'authentication without a payment is not supported',
  '21': 'requests without the cardholder (3RI) are not supported',
  '22': 'technical problem of the ACS',
  '23': 'the ACS requires decoupled authentication, which was not requested',
  '24': 'the time for decoupled authentication is over',
  '25': 'the time for decoupled authentication was too short',
  '26': 'authentication was attempted, but not performed',
}

/**
 * Text of a reason.
 *
 * @param reason two digits
 * @returns a text for logs and support; networks define 80 to 99
 */
export function describeReason(reason: string): string {
  const text = Object.hasOwn(table, reason) ? table[reason] : undefined
  return text ?? (/^[89][0-9]$/.test(reason) ? 'a reason that the network defines' : 'an unknown reason')
}
