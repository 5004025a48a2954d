import { NO_CURRENCY } from '../currency-of.ts'
import { readField, reasonOf } from '../field.ts'
import { FaultError, type FaultReason, type Place } from '../file-fault.ts'
import { createLines } from '../lines.ts'
import type { Value } from '../value-kinds.ts'
import { type FixedField, headLength, recordHead } from './fixed-field.ts'
import type { RecordSpec } from './record-spec.ts'

/** The values of a record by member. */
export type ReadValues = { [Member in string]?: Value | undefined }

/** A record of a file, whose type, length, place and number are right. */
export interface FixedRecord<Type extends string> {
  readonly type: Type
  readonly text: string
  readonly line: number
}

/** Reads the records of a file. All functions throw a FaultError. */
export interface RecordReader<Type extends string> {
  write(piece: string): void
  /** Called at the end of the file, which must be complete. */
  end(): void
  place(): Place
  valuesOf(record: FixedRecord<Type>): ReadValues
  /** Adds the values of a record's fields. The characters after the last field must be blank. */
  readInto(values: ReadValues, record: FixedRecord<Type>): void
  /** Compares the numbers of a trailer with those of the file. */
  compare(record: FixedRecord<Type>, expected: Readonly<Record<string, number>>): void
}

export const faultOf = ({ line }: { readonly line: number }, reason: FaultReason, offset = 0, name?: string) =>
  new FaultError(reason, { line, column: offset + 1 }, name)

/** @param onRecord receives the records in the order of the file */
export function createRecordReader<Type extends string>(
  spec: RecordSpec<Type>,
  onRecord: (record: FixedRecord<Type>) => void,
): RecordReader<Type> {
  const isRecordType = (type: string): type is Type => Object.hasOwn(spec.records, type)
  let state = 'start'
  let recordCount = 0

  const lines = createLines((text, line) => {
    const type = text.slice(0, recordHead.typeLength)
    if (state === 'end') throw new FaultError('TRAILING', { line, column: 1 })
    if (!isRecordType(type)) throw new FaultError('RECORD_TYPE', { line, column: 1 })
    const record = { type, text, line }
    if (text.length !== spec.length) throw faultOf(record, 'LINE_LENGTH', Math.min(text.length, spec.length))
    const next = spec.order[state]?.[type]
    if (next === undefined) throw faultOf(record, 'RECORD_ORDER')
    const number = valueOf(record, recordHead.number, recordHead.typeLength)
    if (number !== ++recordCount) throw faultOf(record, 'RECORD_NUMBER', recordHead.typeLength, recordHead.number.name)
    onRecord(record)
    state = next
  })

  function valueOf(record: FixedRecord<Type>, field: FixedField, offset: number): Value | undefined {
    const text = record.text.slice(offset, offset + field.length).trimEnd()
    if (text === '' && !field.isRequired) return undefined
    const value = readField(field, text, NO_CURRENCY)
    if (value === undefined) throw faultOf(record, reasonOf(field, text), offset, field.name)
    return value
  }

  function readInto(values: ReadValues, record: FixedRecord<Type>): void {
    let offset = headLength
    for (const field of spec.records[record.type].fields) {
      const value = valueOf(record, field, offset)
      if (value !== undefined) values[field.member] = value
      offset += field.length
    }
    if (record.text.slice(offset).trim() !== '') throw faultOf(record, 'VALUE', offset, 'Filler')
  }

  function valuesOf(record: FixedRecord<Type>): ReadValues {
    const values: ReadValues = {}
    readInto(values, record)
    return values
  }

  return {
    write: (piece) => lines.write(piece),
    end() {
      lines.end()
      if (state !== 'end') throw new FaultError('TRUNCATED', lines.place())
    },
    place: () => lines.place(),
    valuesOf,
    readInto,
    compare(record, expected) {
      const values = valuesOf(record)
      let offset = headLength
      for (const { member, name, length } of spec.records[record.type].fields) {
        if (values[member] !== expected[member])
          throw faultOf(record, member.endsWith('Count') ? 'COUNT' : 'TOTAL', offset, name)
        offset += length
      }
    },
  }
}
