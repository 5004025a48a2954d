import type { RequestParameters } from '@tollgate/contract'
import {
  industryPractices,
  instructionModes,
  instructionSources,
  instructionTypes,
  recurringTypes,
  type StandingInstruction,
} from '@tollgate/domain'
import { isOneOf, known } from '../narrow.ts'
import { carries } from './carries.ts'

/** The standing instruction of a request. Older clients may leave out any part of it. */
export type SentInstruction = {
  readonly [Part in keyof StandingInstruction]?: StandingInstruction[Part] | undefined
} & {
  /** Whether any part was sent. */
  readonly isSent: boolean
  /** The network's id of the transaction that began the agreement. */
  readonly initialTransactionId: string | undefined
}

const notSent: SentInstruction = { isSent: false, initialTransactionId: undefined }

const isType = isOneOf(instructionTypes)
const isMode = isOneOf(instructionModes)
const isSource = isOneOf(instructionSources)
const isRecurringType = isOneOf(recurringTypes)
const isIndustryPractice = isOneOf(industryPractices)

export function readInstruction(parameters: RequestParameters): SentInstruction {
  if (!carries(parameters, 'standingInstruction')) return notSent
  const { values } = parameters
  return {
    isSent: true,
    type: known(isType, values.get('standingInstruction.type')),
    mode: known(isMode, values.get('standingInstruction.mode')),
    source: known(isSource, values.get('standingInstruction.source')),
    recurringType: known(isRecurringType, values.get('standingInstruction.recurringType')),
    industryPractice: known(isIndustryPractice, values.get('standingInstruction.industryPractice')),
    expiry: values.get('standingInstruction.expiry'),
    frequencyDays: wholeOf(values.get('standingInstruction.frequency')),
    numberOfInstallments: wholeOf(values.get('standingInstruction.numberOfInstallments')),
    initialTransactionId: values.get('standingInstruction.initialTransactionId'),
  }
}

const wholeOf = (digits: string | undefined): number | undefined => (digits === undefined ? undefined : Number(digits))

/** The instruction as the rules take it; undefined if required parts are missing. */
export function instructionOf(sent: SentInstruction): StandingInstruction | undefined {
  const { type, mode, source } = sent
  if (!type || !mode || !source) return undefined
  return {
    type,
    mode,
    source,
    recurringType: sent.recurringType,
    industryPractice: sent.industryPractice,
    expiry: sent.expiry,
    frequencyDays: sent.frequencyDays,
    numberOfInstallments: sent.numberOfInstallments,
  }
}
