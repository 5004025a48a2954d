import type { RequestParameters } from '@tollgate/contract'
import {
  industryPractices,
  instructionModes,
  instructionSources,
  instructionTypes,
  recurringTypes,
  type StandingInstruction,
} from '@tollgate/domain'
import { isOneOf, narrow } from '../narrow.ts'
import { hasStructure } from './has-structure.ts'

/** The standing instruction of a request. Older clients may omit any part of it. */
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
  if (!hasStructure(parameters, 'standingInstruction')) return notSent
  const { values } = parameters
  return {
    isSent: true,
    type: narrow(isType, values.get('standingInstruction.type')),
    mode: narrow(isMode, values.get('standingInstruction.mode')),
    source: narrow(isSource, values.get('standingInstruction.source')),
    recurringType: narrow(isRecurringType, values.get('standingInstruction.recurringType')),
    industryPractice: narrow(isIndustryPractice, values.get('standingInstruction.industryPractice')),
    expiry: values.get('standingInstruction.expiry'),
    frequencyDays: integerOf(values.get('standingInstruction.frequency')),
    numberOfInstallments: integerOf(values.get('standingInstruction.numberOfInstallments')),
    initialTransactionId: values.get('standingInstruction.initialTransactionId'),
  }
}

const integerOf = (digits: string | undefined): number | undefined =>
  digits === undefined ? undefined : Number(digits)

/** The complete instruction for the rules of the domain; undefined if required parts are missing. */
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
