import type { ParameterName } from '@tollgate/contract'
import type { MessageSource } from './message-source.ts'

/** The letters of element 06, by the parameter in each position. */
const sources: ReadonlyMap<string, string> = new Map([
  ['CIT', 'C'],
  ['MIT', 'M'],
])
const modes: ReadonlyMap<string, string> = new Map([
  ['INITIAL', 'I'],
  ['REPEATED', 'R'],
])
const types: ReadonlyMap<string, string> = new Map([
  ['UNSCHEDULED', 'U'],
  ['STANDING_ORDER', 'S'],
  ['RECURRING', 'R'],
  ['INSTALLMENT', 'N'],
])

/** Element 06: who starts the payment, whether it begins or continues an agreement, and the kind of the agreement. */
export function agreementFlags({ request: { parameters } }: MessageSource): string | undefined {
  const sent = (name: ParameterName): string => parameters.get(name) ?? ''
  const type = sent('standingInstruction.type')
  const isStandingOrder = type === 'RECURRING' && sent('standingInstruction.recurringType') === 'STANDING_ORDER'
  const letters = [
    sources.get(sent('standingInstruction.source')),
    modes.get(sent('standingInstruction.mode')),
    types.get(isStandingOrder ? 'STANDING_ORDER' : type),
  ]
  return letters.includes(undefined) ? undefined : letters.join('')
}

/** The codes of element 07. */
const practices: ReadonlyMap<string, string> = new Map([
  ['RESUBMISSION', '1'],
  ['DELAYED_CHARGES', '2'],
  ['REAUTHORIZATION', '3'],
  ['NO_SHOW', '4'],
  ['INCREMENTAL_AUTH', '5'],
])

/** Element 07: the industry's reason of a charge. A PA that refers to another increases its authorisation. */
export function industryPractice({ request: { operation, parameters }, original }: MessageSource): string | undefined {
  const isIncrement = operation === 'PA' && original !== undefined
  const sent = parameters.get('standingInstruction.industryPractice') ?? (isIncrement ? 'INCREMENTAL_AUTH' : '')
  return practices.get(sent)
}

/** Element 08: the network's id of the payment that began the agreement. Field 62 has that of a follow-up's payment. */
export function initialTransaction({ request, original }: MessageSource): string | undefined {
  if (original !== undefined) return undefined
  return request.initialTransactionId ?? request.parameters.get('standingInstruction.initialTransactionId')
}

/** The plans of element 17: the acquirer divides the payment, or the merchant makes a payment for each instalment. */
const BY_ACQUIRER = 'A'
const BY_MERCHANT = 'M'
/** The number of a later instalment is not among the parameters. */
const LATER = 0

/** Element 17: number of the instalment, number of all instalments, plan. */
export function instalments({ request: { parameters } }: MessageSource): string | undefined {
  const divided = parameters.get('recurring.numberOfInstallments')
  if (divided !== undefined) return `1/${Number(divided)}/${BY_ACQUIRER}`
  const planned = parameters.get('standingInstruction.numberOfInstallments')
  if (planned === undefined || parameters.get('standingInstruction.type') !== 'INSTALLMENT') return undefined
  const number = parameters.get('standingInstruction.mode') === 'INITIAL' ? 1 : LATER
  return `${number}/${Number(planned)}/${BY_MERCHANT}`
}
