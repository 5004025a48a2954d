import { responseCodes } from '@tollgate/contract'

/**
 * The meaning of an answer that is not the result of its message. again: the host cannot process the message now.
 * undecided: the host does not know the outcome either. repair: it never will process the message, until an operator
 * has corrected a setting or asked the acquirer. accepted: the host has processed the first transmission.
 */
export type Verdict = 'again' | 'undecided' | 'repair' | 'accepted'

type Verdicts = Readonly<Record<string, Verdict>>

/**
 * A request in progress (09), and the issuer's answer that came too late for the host (68, "triggers 0420"): the issuer
 * may have approved. A message for a decision is reversed, and the others are repeated.
 */
const undecided: Verdicts = { '09': 'undecided', 68: 'undecided' }

/**
 * "Advice 0220 is never dropped, but a 0230 with DE39 30/12/14 goes to a repair queue": so do other faults of the
 * message and of the merchant's or terminal's set-up, and the acceptance of a part, whose rest has no rule.
 */
const advices: Verdicts = {
  ...undecided,
  '03': 'repair',
  '06': 'again',
  10: 'repair',
  12: 'repair',
  13: 'repair',
  14: 'repair',
  19: 'again',
  20: 'again',
  22: 'again',
  28: 'again',
  30: 'repair',
  40: 'repair',
  58: 'repair',
  89: 'repair',
  91: 'again',
  96: 'again',
  98: 'repair',
  99: 'repair',
}

/** "0430 any DE39 except 91/96/30 ends the SAF entry" */
const timeoutReversals: Verdicts = { 30: 'repair', 91: 'again', 96: 'again' }

/** A reversal that the merchant asked for is decided by the host, but not in part: the request names the rest. */
const reversals: Verdicts = { ...undecided, 10: 'repair' }

/** Verdicts by message type and response code. Every other response is the result of the message. */
const verdicts: Readonly<Record<string, Verdicts>> = {
  '0100': undecided,
  '0200': undecided,
  '0220': advices,
  '0221': { ...advices, 94: 'accepted' },
  '0400': reversals,
  '0401': { ...reversals, 94: 'accepted' },
  '0420': timeoutReversals,
  '0421': timeoutReversals,
}

/** The verdict on a response to a message; undefined: the response is the result of the message. */
export function verdictOf(type: string, response: string): Verdict | undefined {
  const ofType = verdicts[type]
  return ofType && Object.hasOwn(ofType, response) ? ofType[response] : undefined
}

/** The reason of a repair, for an operator. */
export const repairReason = (response: string): string =>
  `the acquirer answered ${response} (${responseCodes[response]?.text ?? 'unknown response'})`
