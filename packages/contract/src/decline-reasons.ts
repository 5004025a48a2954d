import { outcomeOf, type ResultCode, type ResultGroup, resultCodes } from './result-codes.ts'

/**
 * Why a payment or registration was declined, as far as shoppers may know: mistakes that they can correct, missing
 * funds, a failed authentication, a cancellation, and temporary faults. Everything else is `generic`, above all the
 * reasons that would help a thief, such as a stolen card.
 */
export const declineReasons = {
  number: 'The number of the card or account is wrong or unknown.',
  expiry: 'The expiry date is wrong, or the card has expired.',
  cvv: 'The card verification code is wrong.',
  holder: 'The name of the holder is wrong.',
  brand: 'This brand of card is not accepted.',
  funds: 'The funds are insufficient, or the limit is reached.',
  authentication: 'The issuer did not authenticate the shopper.',
  cancelled: 'The shopper cancelled the payment.',
  later: 'A temporary fault; the payment may succeed later with the same details.',
  generic: 'Any other reason.',
} as const satisfies Readonly<Record<string, string>>

export type DeclineReason = keyof typeof declineReasons

const byCode: Readonly<Partial<Record<ResultCode, DeclineReason>>> = {
  '100.100.101': 'number',
  '100.100.200': 'expiry',
  '100.100.201': 'expiry',
  '100.100.300': 'expiry',
  '100.100.301': 'expiry',
  '100.100.303': 'expiry',
  '100.100.304': 'expiry',
  '100.100.305': 'expiry',
  '100.100.400': 'holder',
  '100.100.401': 'holder',
  '100.100.402': 'holder',
  '100.100.500': 'brand',
  '100.100.501': 'brand',
  '100.100.600': 'cvv',
  '100.100.601': 'cvv',
  '100.100.700': 'brand',
  '100.380.401': 'authentication',
  '100.380.501': 'authentication',
  '100.390.110': 'number',
  '100.390.118': 'generic',
  '100.396.101': 'cancelled',
  '100.396.104': 'cancelled',
  '100.397.101': 'cancelled',
  '100.550.311': 'funds',
  '800.100.151': 'number',
  '800.100.153': 'cvv',
  '800.100.155': 'funds',
  '800.100.157': 'expiry',
  '800.100.162': 'funds',
  '800.100.169': 'brand',
  '800.100.175': 'brand',
  '800.100.176': 'later',
  '800.100.192': 'cvv',
  '800.100.198': 'holder',
  '800.100.203': 'funds',
  '800.100.402': 'holder',
  '800.120.100': 'later',
  '800.120.101': 'later',
  '800.120.102': 'later',
  '800.120.103': 'later',
  '800.120.200': 'later',
  '800.120.201': 'later',
  '800.120.202': 'later',
  '800.120.203': 'later',
  '800.700.100': 'later',
}

const byGroup: Readonly<Partial<Record<ResultGroup, DeclineReason>>> = {
  communication: 'later',
  softDecline: 'authentication',
  system: 'later',
  threeDSecure: 'authentication',
}

/**
 * The reason of a decline that a shopper may know. A row for the code takes precedence over one for its group.
 *
 * @returns undefined if the code is not a decline
 */
export function declineReasonOf(code: ResultCode): DeclineReason | undefined {
  if (outcomeOf(code) !== 'rejected') return undefined
  return byCode[code] ?? byGroup[resultCodes[code].group] ?? 'generic'
}

/** Groups whose generic declines are confidential: those of issuers and their 3-D Secure, block lists, risk checks. */
const CONFIDENTIAL: ReadonlySet<ResultGroup> = new Set(['bank', 'blacklist', 'externalRisk', 'threeDSecure'])

/** The code that replaces a confidential decline in answers to browsers. */
export const CONFIDENTIAL_DECLINE = '800.100.152' satisfies ResultCode

/** Whether shoppers get `CONFIDENTIAL_DECLINE` instead of a code, because the code would help to test stolen cards. */
export const isConfidentialDecline = (code: ResultCode): boolean =>
  declineReasonOf(code) === 'generic' && CONFIDENTIAL.has(resultCodes[code].group)
