/** How the simulated issuers answer for a card. Cards outside of the table are approved. */
export interface CardOutcome {
  readonly number: string
  /** The response code of every debit and verification; 10 approves half of the amount. undefined: approved. */
  readonly code?: string
  /** The initial balance in minor units, of each currency; by default `defaultAvailableMinor`. */
  readonly availableMinor?: number
}

/** The balance of other cards, in each currency: a billion in a currency with two decimal places. */
export const defaultAvailableMinor = 100_000_000_000

/**
 * Test cards of the host. The numbers are Visa (4999 99) and Mastercard (5599 99); the digits before the last one are
 * the response code, if it has only digits. Credits to these cards are approved.
 */
export const cardOutcomes: readonly CardOutcome[] = [
  { number: '4999990000000015', code: '01' },
  { number: '4999990000000031', code: '03' },
  { number: '4999990000000049', code: '04' },
  { number: '4999990000000056', code: '05' },
  { number: '4999990000000064', code: '06' },
  { number: '4999990000000106', code: '10' },
  { number: '4999990000000122', code: '12' },
  { number: '4999990000000130', code: '13' },
  { number: '4999990000000148', code: '14' },
  { number: '4999990000000155', code: '15' },
  { number: '4999990000000411', code: '41' },
  { number: '4999990000000437', code: '43' },
  { number: '4999990000000460', code: '46' },
  { number: '4999990000000510', code: '51' },
  { number: '4999990000000544', code: '54' },
  { number: '4999990000000577', code: '57' },
  { number: '4999990000000593', code: '59' },
  { number: '4999990000000619', code: '61' },
  { number: '4999990000000627', code: '62' },
  { number: '4999990000000635', code: '63' },
  { number: '4999990000000650', code: '65' },
  { number: '4999990000000759', code: '75' },
  { number: '4999990000000783', code: '78' },
  { number: '4999990000000916', code: '91' },
  { number: '4999990000000965', code: '96' },
  { number: '4999990000009263', code: 'N7' },
  { number: '4999990000009271', code: 'R0' },
  { number: '4999990000009289', code: 'R1' },
  { number: '4999990000009297', code: 'R3' },
  { number: '4999990000009305', code: '1A' },
  { number: '4999990000009313', code: '6P' },
  { number: '4999990000010006', availableMinor: 10_000 },
  { number: '5599990000000057', code: '05' },
  { number: '5599990000000107', code: '10' },
  { number: '5599990000000511', code: '51' },
  { number: '5599990000000651', code: '65' },
  { number: '5599990000000826', code: '82' },
  { number: '5599990000000834', code: '83' },
  { number: '5599990000010007', availableMinor: 10_000 },
]
