import type { Field } from '../field.ts'
import { column, counter, type FixedField } from '../fixed-width/fixed-field.ts'
import { recordSpec } from '../fixed-width/record-spec.ts'
import {
  compactDay,
  compactTime,
  count,
  currencyCode,
  matching,
  minorAmount,
  text,
  type ValueKind,
} from '../value-kinds.ts'

/** The facts about a clearing file that its header states. */
export interface ClearingFacts {
  /** The name of the acquirer. */
  readonly institute: string
  /** The same for all files of a business day of an account. */
  readonly fileId: string
  /** The number of the file among those of the account, from 1. */
  readonly sequence: number
  /** yyyy-MM-dd. */
  readonly businessDay: string
}

/** A captured amount that a clearing file presents to the issuer. */
export interface Presentment {
  /** The merchant's id at the acquirer. */
  readonly clearingMerchantId: string
  readonly currency: string
  /** The id of the capture: the same presentment always has the same id. */
  readonly presentmentId: string
  /** The reference number of the capture. */
  readonly reference: string
  readonly terminalId: string
  /** The message of the authorisation (field 90 of ISO 8583). */
  readonly originalData: string
  readonly approvalCode?: string | undefined
  readonly networkTransactionId?: string | undefined
  /** The number of the capture among those of its authorisation, from 1, and their count: equal for the last one. */
  readonly captureSequence: number
  readonly captureCount: number
  /** Minor units of the currency. */
  readonly amountMinor: number
  /** Epoch milliseconds, in whole seconds. */
  readonly capturedAtMs: number
}

const factsField = (name: string, member: keyof ClearingFacts, kind: ValueKind): Field => ({
  name,
  member,
  kind,
  isRequired: true,
})

const field = (name: string, member: keyof Presentment, kind: ValueKind, isRequired = true): Field => ({
  name,
  member,
  kind,
  isRequired,
})

const presentment: readonly FixedField[] = [
  column(32, field('PresentmentId', 'presentmentId', matching('32 letters or digits', 32, /^[0-9A-Za-z]{32}$/))),
  column(12, field('Reference', 'reference', text(12))),
  column(8, field('TerminalId', 'terminalId', text(8))),
  column(42, field('OriginalData', 'originalData', text(42))),
  column(6, field('ApprovalCode', 'approvalCode', text(6), false)),
  column(32, field('NetworkTransactionId', 'networkTransactionId', text(32), false)),
  column(2, field('CaptureSequence', 'captureSequence', count(1, 99, 2))),
  column(2, field('CaptureCount', 'captureCount', count(1, 99, 2))),
  column(15, field('Amount', 'amountMinor', minorAmount)),
  column(14, field('CaptureTime', 'capturedAtMs', compactTime)),
]

/**
 * The clearing file, version 01, which presents the captured amounts of one business day. It has the notation of the
 * format fixed-width. A batch consists of the presentments of one merchant and currency.
 */
export const clearingRecords = {
  CH: {
    title: 'file header',
    fields: [
      column(2, { name: 'Version', member: 'version', kind: matching('01', 2, /^01$/), isRequired: true }),
      column(40, factsField('Institute', 'institute', text(40))),
      column(80, factsField('FileId', 'fileId', text(80))),
      column(9, factsField('Sequence', 'sequence', count(1, 999_999_999, 9))),
      column(8, factsField('BusinessDay', 'businessDay', compactDay)),
    ],
  },
  BH: {
    title: 'batch header',
    fields: [
      column(15, field('MerchantId', 'clearingMerchantId', text(15))),
      column(3, field('Currency', 'currency', currencyCode)),
    ],
  },
  PR: { title: 'presentment: a captured amount', fields: presentment },
  BT: {
    title: 'batch trailer',
    fields: [counter('Presentments', 'presentmentCount', 8), counter('Sum', 'sumMinor', 16)],
  },
  CT: {
    title: 'file trailer: the counts, and the sum of all amounts, modulo 10^15',
    fields: [
      counter('Batches', 'batchCount', 8),
      counter('Presentments', 'presentmentCount', 8),
      counter('HashTotal', 'hashTotal', 15),
    ],
  },
} as const satisfies Readonly<Record<string, { readonly title: string; readonly fields: readonly FixedField[] }>>

export type ClearingRecordType = keyof typeof clearingRecords

export const clearingSpec = recordSpec<ClearingRecordType>(clearingRecords, {
  start: { CH: 'file' },
  file: { BH: 'batch', CT: 'end' },
  batch: { PR: 'batch', BT: 'file' },
  end: {},
})
