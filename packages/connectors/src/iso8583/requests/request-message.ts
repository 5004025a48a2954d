import { joinedFields, type Value, wipeValues } from '@tollgate/iso8583'
import type { AcquirerRequest } from '../../port.ts'
import type { AcquirerProfile } from '../profile.ts'
import { localTime, type Trace } from '../trace.ts'
import { keptFields } from '../sent-as.ts'
import { type FieldRow, fieldRows } from './fields.ts'
import { listIndexes } from './list-indexes.ts'
import {
  byKind,
  type ByKind,
  kindOf,
  type MessageSource,
  type OriginalMessage,
  type RequestKind,
  type RequestMessage,
} from './message-source.ts'
import { partsWith } from './structures/parts-with.ts'

/** The message type of each kind of request. What has been approved before is reported by an advice. */
export const messageTypes: Readonly<Record<RequestKind, string>> = {
  PA: '0100',
  DB: '0200',
  CD: '0200',
  CP: '0220',
  RV: '0400',
  RF: '0200',
  offlineSale: '0220',
}

const rowsByKind = byKind(fieldRows)
const keptRowsByKind = byKind(fieldRows.filter(({ number }) => keptFields.has(number)))

/**
 * Composes the message of a request.
 *
 * @param original the message that a follow-up refers to. A PA with an original increases its authorisation
 * @returns a message with secrets: the caller erases it by `wipeMessage` after it is encoded
 * @throws FieldError if a value, which the error does not contain, fits in no message: the request cannot be sent
 */
export function requestMessage(
  request: AcquirerRequest,
  trace: Trace,
  profile: AcquirerProfile,
  original?: OriginalMessage,
): RequestMessage {
  const names = [...request.parameters.keys()]
  const local = localTimeOf(request, trace, profile)
  const source = { request, trace, profile, original, local, lists: listIndexes(names), parts: partsWith(names) }
  return compose(rowsByKind, source)
}

const noLists: MessageSource['lists'] = new Map()
const noParts: MessageSource['parts'] = new Set()

/** The fields of the message of a request that its references contain. They have no account data and no secrets. */
export function keptMessage(
  request: AcquirerRequest,
  trace: Trace,
  profile: AcquirerProfile,
  original?: OriginalMessage,
): RequestMessage {
  const local = localTimeOf(request, trace, profile)
  return compose(keptRowsByKind, { request, trace, profile, original, local, lists: noLists, parts: noParts })
}

function compose(rows: ByKind<FieldRow>, source: MessageSource): RequestMessage {
  const kind = kindOf(source.request)
  const numbers: number[] = []
  const values: Value[] = []
  try {
    for (const { number, valueOf } of rows[kind]) {
      const value = valueOf(source)
      if (value === undefined) continue
      numbers.push(number)
      values.push(value)
    }
  } catch (error) {
    wipeValues(values)
    throw error
  }
  return { type: messageTypes[kind], fields: joinedFields(numbers, values) }
}

/** The time of the message at the merchant; of an offline sale the time of the sale at the terminal. */
function localTimeOf({ offlineApproval }: AcquirerRequest, trace: Trace, { timeZone }: AcquirerProfile) {
  const { date, time } = offlineApproval ?? {}
  return date !== undefined && time !== undefined ? { time, date: date.slice(2) } : localTime(trace, timeZone)
}
