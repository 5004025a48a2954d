import { type FixedField, headLength } from './fixed-field.ts'

/** A type of records: its fields after the head. */
export interface RecordRow {
  readonly title: string
  readonly fields: readonly FixedField[]
}

/** A format of records of one length, as tables. The first state of a file is `start`, the last one `end`. */
export interface RecordSpec<Type extends string> {
  readonly records: Readonly<Record<Type, RecordRow>>
  /** The types of records that may follow each other: the state of a file, and the state after a record. */
  readonly order: Readonly<Record<string, { readonly [Each in Type]?: string }>>
  /** The characters of each record. */
  readonly length: number
}

/** The format whose records have the length of its longest one. */
export function recordSpec<Type extends string>(
  records: Readonly<Record<Type, RecordRow>>,
  order: RecordSpec<Type>['order'],
): RecordSpec<Type> {
  const lengths = Object.values<RecordRow>(records).map(({ fields }) =>
    fields.reduce((sum, { length }) => sum + length, headLength),
  )
  return { records, order, length: Math.max(...lengths) }
}
