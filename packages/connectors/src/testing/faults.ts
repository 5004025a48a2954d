/** What a request of a payment comes to while its counterpart has a fault. */
export type FaultOutcome =
  /** The request never reaches the counterpart. */
  | 'notSent'
  /** The counterpart may have processed the request: it is reversed. */
  | 'unknown'
  /** Not the success that was requested: it is unknown, declined, or approved for a review (000.400.040). */
  | 'noSuccess'
  /** The fault has no effect. */
  | 'approved'

interface Fault {
  readonly effect: string
  readonly outcome: FaultOutcome
}

/** How long a caller of the suite waits for an answer. It takes longer only if the counterpart has a fault. */
export const patienceMs = 1_000
/** A time after which an answer is late. */
export const lateMs = 1_500

/** The faults of counterparts, and the outcome of a payment during each of them. */
export const faults = {
  refused: { effect: 'the counterpart accepts no connection', outcome: 'notSent' },
  requestLost: { effect: 'the request is neither processed nor answered', outcome: 'unknown' },
  requestLate: { effect: 'the request is processed after `lateMs`', outcome: 'unknown' },
  answerLost: { effect: 'the request is processed and not answered', outcome: 'unknown' },
  answerLate: { effect: 'the request is processed, and answered after `lateMs`', outcome: 'unknown' },
  closed: { effect: 'the request is processed, and the connection ends without an answer', outcome: 'unknown' },
  half: { effect: 'the connection ends after half of the answer', outcome: 'unknown' },
  oversized: { effect: 'the answer is longer than any answer may be', outcome: 'unknown' },
  garbled: { effect: 'the answer cannot be decoded', outcome: 'unknown' },
  failure: { effect: 'the request is processed, and the answer reports an internal failure', outcome: 'unknown' },
  otherAnswer: { effect: 'the answer is that to another request', outcome: 'unknown' },
  wrongAmount: { effect: 'the answer approves another amount', outcome: 'noSuccess' },
  wrongCurrency: { effect: 'the answer approves another currency', outcome: 'noSuccess' },
  answerTwice: { effect: 'the answer is sent twice', outcome: 'approved' },
  answerInPieces: { effect: 'the answer arrives in pieces', outcome: 'approved' },
} as const satisfies Readonly<Record<string, Fault>>

export type FaultName = keyof typeof faults

const isFaultName = (name: string): name is FaultName => Object.hasOwn(faults, name)

/** All faults with one of the outcomes. */
export const faultsWith = (...outcomes: readonly FaultOutcome[]): readonly FaultName[] =>
  Object.keys(faults)
    .filter(isFaultName)
    .filter((name) => outcomes.includes(faults[name].outcome))
