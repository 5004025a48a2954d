import type { ascii1987, Message, ValueOf } from '@tollgate/iso8583'
import type { AcquirerOperation, AcquirerRequest } from '../../port.ts'
import type { AcquirerProfile } from '../profile.ts'
import type { localTime, Trace } from '../trace.ts'

/** The fields of the 1987 edition, which both dialects share. */
export type RequestFields = (typeof ascii1987)['fields']

/** A request to the acquirer's host. */
export type RequestMessage = Message<RequestFields>

/** The value of a field; undefined: the message does not have the field. */
export type FieldValue<Number extends keyof RequestFields> = ValueOf<RequestFields[Number]> | undefined

/** The message that a follow-up refers to, and the place of the follow-up in its payment. */
export interface OriginalMessage {
  /** Field 37 of the original. */
  readonly retrievalReference: string
  /** Field 90 of the follow-up: `originalData` of the original's trace. */
  readonly originalData: string
  /** Field 38 of the original's answer. */
  readonly approvalCode?: string | undefined
  /** Field 62 of the original's answer: the network's id of the payment. */
  readonly networkTransactionId?: string | undefined
  /**
   * Only of a reversal: the amount of the original in minor units, or its part that earlier reversals have left. A
   * reversal of a smaller amount is partial.
   */
  readonly originalAmountMinor?: number | undefined
  /** Only of a capture: its number among the captures of the authorisation, from 1. */
  readonly captureSequence?: number | undefined
}

/** Everything from which the fields of a message are computed. */
export interface MessageSource {
  readonly request: AcquirerRequest
  readonly trace: Trace
  readonly profile: AcquirerProfile
  readonly original: OriginalMessage | undefined
  /** Time and date at the merchant: fields 12 and 13. */
  readonly local: ReturnType<typeof localTime>
  /** The indexes of each list in the parameters, ascending, by its name: `cart.items`, `airline.passengers[0].legs`. */
  readonly lists: ReadonlyMap<string, readonly number[]>
}

/** Operations that send a field or an element. */
export type Operations = ReadonlySet<AcquirerOperation>

const operations = (...codes: readonly AcquirerOperation[]): Operations => new Set(codes)

export const everyOperation = operations('PA', 'DB', 'CD', 'CP', 'RV', 'RF')
/** The first message of a payment, to which the shopper presents the account. */
export const presentations = operations('PA', 'DB', 'CD')
/** Presentations that take money from the account. */
export const debits = operations('PA', 'DB')
/** Operations that give money to the account. */
export const credits = operations('CD', 'RF')
/** Operations whose issuer has approved an amount before. */
export const completions = operations('CP', 'RV')
/** Operations that may refer to another message. A PA that does so increases an authorisation. */
export const references = operations('PA', 'CP', 'RV', 'RF')
/** Messages of the types 0100 and 0200. */
export const requestsForDecision = operations('PA', 'DB', 'CD', 'RF')
