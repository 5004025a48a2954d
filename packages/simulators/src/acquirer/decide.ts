import { authorise, inquire, sell } from './authorise.ts'
import { acceptAdvice } from './capture.ts'
import { payOut, refund } from './credit.ts'
import { type Decide, refuse } from './decision.ts'
import { reverse } from './reverse.ts'

/** The decisions by message type and processing code, the first two digits of field 3. */
const decisions: Readonly<Record<string, Decide>> = {
  '0100 00': authorise,
  '0100 09': authorise,
  '0100 10': authorise,
  '0100 30': inquire,
  '0200 00': sell,
  '0200 09': sell,
  '0200 10': sell,
  '0200 20': refund,
  '0200 26': payOut,
  '0200 30': inquire,
  '0220 00': acceptAdvice,
  '0220 09': acceptAdvice,
  '0220 10': acceptAdvice,
  '0220 20': refund,
}

/** Decides about a message with a card. Other processing codes are invalid transactions. */
export const decide: Decide = (context) => {
  const { type, processing } = context.request
  if (type.class === 'reversal') return reverse(context)
  return decisions[`${type.first} ${processing}`]?.(context) ?? refuse(context, '12')
}
