import type { MoveName } from './moves.ts'

/** What becomes of a payment when the shopper presses a button. */
export interface Choice {
  readonly move: MoveName
  /** What follows when the minutes that the shopper chose are over. */
  readonly later?: { readonly move: MoveName; readonly minutes: number }
  /** How often the shopper's browser is seen at the returnUrl. */
  readonly returns: 'once' | 'twice' | 'never'
}

/** Every button of a bank's page, in the order in which they stand there. */
export const choices = {
  pay: { move: 'pay', returns: 'once' },
  cancel: { move: 'cancel', returns: 'once' },
  decline: { move: 'decline', returns: 'once' },
  payTwice: { move: 'pay', returns: 'twice' },
  payAndStay: { move: 'pay', returns: 'never' },
  payLater: { move: 'wait', later: { move: 'pay', minutes: 5 }, returns: 'once' },
  failLater: { move: 'wait', later: { move: 'decline', minutes: 5 }, returns: 'once' },
  // Longer than any gateway waits for a shopper: the success comes when nobody expects it any more.
  payTooLate: { move: 'stay', later: { move: 'pay', minutes: 40 }, returns: 'never' },
} as const satisfies Readonly<Record<string, Choice>>

/** The value of a button. */
export type ChoiceName = keyof typeof choices

/** Whether there is such a button. */
export const isChoice = (name: string): name is ChoiceName => Object.hasOwn(choices, name)

/** The table for whoever reads it by a name. */
export const choiceOf = (name: ChoiceName): Choice => choices[name]

export const choiceNames = Object.keys(choices).filter(isChoice)
