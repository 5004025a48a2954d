import type { TransitionName } from './transitions.ts'

/** Effect of a button on a bank's page. */
export interface Choice {
  readonly transition: TransitionName
  /** The transition that follows after the minutes that the shopper enters; `minutes` is the initial value. */
  readonly later?: { readonly transition: TransitionName; readonly minutes: number }
  /** The number of requests to the returnUrl. */
  readonly returns: 'once' | 'twice' | 'never'
}

/** The buttons of a bank's page, in their order. */
export const choices = {
  pay: { transition: 'pay', returns: 'once' },
  cancel: { transition: 'cancel', returns: 'once' },
  decline: { transition: 'decline', returns: 'once' },
  payTwice: { transition: 'pay', returns: 'twice' },
  payAndStay: { transition: 'pay', returns: 'never' },
  payLater: { transition: 'wait', later: { transition: 'pay', minutes: 5 }, returns: 'once' },
  failLater: { transition: 'wait', later: { transition: 'decline', minutes: 5 }, returns: 'once' },
  // After 40 minutes the payment has expired at the gateway, so that it succeeds too late.
  payTooLate: { transition: 'stay', later: { transition: 'pay', minutes: 40 }, returns: 'never' },
} as const satisfies Readonly<Record<string, Choice>>

/** The value of a button. */
export type ChoiceName = keyof typeof choices

export const isChoice = (name: string): name is ChoiceName => Object.hasOwn(choices, name)

/** The row of a button. */
export const choiceOf = (name: ChoiceName): Choice => choices[name]

export const choiceNames = Object.keys(choices).filter(isChoice)
