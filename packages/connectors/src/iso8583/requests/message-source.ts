import type { ascii1987, Message, ValueOf } from '@tollgate/iso8583'
import type { AcquirerOperation, AcquirerRequest } from '../../port.ts'
import type { AcquirerProfile } from '../profile.ts'
import type { localTime, Trace } from '../trace.ts'
import type { StructurePart } from './structures/structure.ts'

/** The fields of the 1987 edition, which both dialects share. */
export type RequestFields = (typeof ascii1987)['fields']

/** A request to the acquirer's host. */
export type RequestMessage = Message<RequestFields>

/** The value of a field; undefined: the message does not have the field. */
export type FieldValue<Number extends keyof RequestFields> = ValueOf<RequestFields[Number]> | undefined

/** The number of a field that a capture or a reversal has as its original had it. */
export type RepeatedField = 3 | 18 | 22 | 25

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
  /** Fields of the original that a capture or reversal repeats, unless its request has other values. */
  readonly fields?: Readonly<Partial<Record<RepeatedField, string>>> | undefined
  /**
   * Only of a reversal: the amount of the original in minor units, after increases and earlier reversals. A reversal of
   * a smaller amount is partial.
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
  /** Time and date at the merchant or terminal: fields 12 and 13. */
  readonly local: ReturnType<typeof localTime>
  /** The indexes of each list in the parameters, ascending, by its name: `cart.items`, `airline.passengers[0].legs`. */
  readonly lists: ReadonlyMap<string, readonly number[]>
  /** The parts of private data of which the request has a parameter. */
  readonly parts: ReadonlySet<StructurePart>
}

/** The kind of a request: its operation, or the advice of a sale that card and terminal have approved offline. */
export type RequestKind = AcquirerOperation | 'offlineSale'

export const kindOf = ({ operation, offlineApproval }: AcquirerRequest): RequestKind =>
  offlineApproval ? 'offlineSale' : operation

/** The kinds of requests that have a field or an element. */
export type RequestKinds = ReadonlySet<RequestKind>

/** The rows of a table that each kind of request has, in their order. */
export type ByKind<Row> = Readonly<Record<RequestKind, readonly Row[]>>

/** Divides a table by the kinds of requests, so that a request reads only its own rows. */
export function byKind<Row extends { readonly sentBy: RequestKinds }>(rows: readonly Row[]): ByKind<Row> {
  const of = (kind: RequestKind) => rows.filter(({ sentBy }) => sentBy.has(kind))
  return {
    PA: of('PA'),
    DB: of('DB'),
    CD: of('CD'),
    CP: of('CP'),
    RV: of('RV'),
    RF: of('RF'),
    offlineSale: of('offlineSale'),
  }
}

const kinds = (...all: readonly RequestKind[]): RequestKinds => new Set(all)

export const everyKind = kinds('PA', 'DB', 'CD', 'CP', 'RV', 'RF', 'offlineSale')
/** The first message of a payment, to which the shopper presents the account. */
export const presentations = kinds('PA', 'DB', 'CD', 'offlineSale')
/** Presentations that take money from the account, with the issuer's approval. */
export const debits = kinds('PA', 'DB')
/** Requests that give money to the account. */
export const credits = kinds('CD', 'RF')
/** Follow-ups that complete a message which the issuer has approved. */
export const completions = kinds('CP', 'RV')
/** A field of the original, which a capture or a reversal repeats. */
export const repeatedField = ({ request, original }: MessageSource, number: RepeatedField): string | undefined =>
  completions.has(request.operation) ? original?.fields?.[number] : undefined

/** Requests whose amount has been approved before. */
export const approvedBefore = kinds('CP', 'RV', 'offlineSale')
/** Requests that may refer to another message. A PA that does so increases an authorisation. */
export const references = kinds('PA', 'CP', 'RV', 'RF')
/** Messages of the types 0100 and 0200. */
export const requestsForDecision = kinds('PA', 'DB', 'CD', 'RF')
/** Requests for which a terminal may read the card: a refund may be made at a terminal, too. */
export const cardReads = kinds('PA', 'DB', 'CD', 'RF', 'offlineSale')
