import type { MoveName } from './moves.ts'

/** Effect of a button on a bank's page. */
export interface Choice {
  readonly move: MoveName
  /** The move after the minutes that the shopper enters; `minutes` is the initial value of the field. */
  readonly later?: { readonly move: MoveName; readonly minutes: number }
  /** The number of requests to the returnUrl. */
  readonly returns: 'once' | 'twice' | 'never'
}

/** The buttons of a bank's page, in their order. */
export const choices = {
  pay: { move: 'pay', returns: 'once' },
  cancel: { move: 'cancel', returns: 'once' },
  decline: { move: 'decline', returns: 'once' },
  payTwice: { move: 'pay', returns: 'twice' },
  payAndStay: { move: 'pay', returns: 'never' },
  payLater: { move: 'wait', later: { move: 'pay', minutes: 5 }, returns: 'once' },
  failLater: { move: 'wait', later: { move: 'decline', minutes: 5 }, returns: 'once' },
  // After 40 minutes the payment has expired at the gateway, so that it succeeds too late.
  payTooLate: { move: 'stay', later: { move: 'pay', minutes: 40 }, returns: 'never' },
} as const satisfies Readonly<Record<string, Choice>>

/** The value of a button. */
export type ChoiceName = keyof typeof choices

export const isChoice = (name: string): name is ChoiceName => Object.hasOwn(choices, name)

/** The row of a button. */
export const choiceOf = (name: ChoiceName): Choice => choices[name]

export const choiceNames = Object.keys(choices).filter(isChoice)
