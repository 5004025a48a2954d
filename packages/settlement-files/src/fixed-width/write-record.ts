import { NO_CURRENCY } from '../currency-of.ts'
import { writeField } from '../field.ts'
import type { Value } from '../value-kinds.ts'
import { type FixedField, recordHead } from './fixed-field.ts'
import type { RecordSpec } from './record-spec.ts'

/** The values of a record by member. */
export type RecordValues = { readonly [Member in string]?: Value | undefined }

/**
 * Creates a writer of records, which numbers them.
 *
 * @returns a function that throws a RangeError, which names the field, if the format cannot express a value
 */
export function createRecordWriter<Type extends string>(
  spec: RecordSpec<Type>,
): (type: Type, values: RecordValues) => string {
  let recordNumber = 0
  return (type, values) => {
    const numbered: RecordValues = { ...values, recordNumber: ++recordNumber }
    const fields: readonly FixedField[] = [recordHead.number, ...spec.records[type].fields]
    const text = type + fields.map((field) => writeCell(field, numbered[field.member])).join('')
    return `${text.padEnd(spec.length)}\n`
  }
}

function writeCell(field: FixedField, value: Value | undefined): string {
  const text = writeField(field, value, NO_CURRENCY)
  if (text.length > field.length || text.includes('\n')) {
    throw new RangeError(`${field.name}: must be one line of up to ${field.length} characters`)
  }
  return text.padEnd(field.length)
}
