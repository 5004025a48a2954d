/** The reasons for rejecting a settlement file, with their meanings. */
export const faultReasons = {
  FILE_SIZE: 'The file is larger than the bound.',
  ROWS: 'The file has more rows and bank entries than the bound.',
  ENCODING: 'The file is not UTF-8.',
  CONTROL_CHARACTER: 'A control character other than the end of a line, such as NUL.',
  LINE_LENGTH: 'The line is longer than the bound, or does not have the length of its record.',
  TRUNCATED: 'The file ends before its trailer or its last closing tag.',
  TRAILING: 'Data after the trailer or the root element.',
  RECORD_TYPE: 'The type of the record is unknown, or the header names another format or version.',
  RECORD_ORDER: 'The record or element must not occur at this place.',
  RECORD_NUMBER: 'The number of the record is not the number of the previous record plus one.',
  COLUMN: 'A column is unknown, repeated or missing, or the row has another number of cells than the header row.',
  QUOTE: 'A quote is misplaced or not closed.',
  MISSING: 'A required field is missing or empty.',
  REPEATED: 'A field or element occurs twice.',
  FIELD_LENGTH: 'The value is longer than its field permits.',
  VALUE: 'The value does not have the format of its field.',
  AMOUNT: 'Not an amount: not a decimal number, more decimals than the currency has, or too large.',
  CURRENCY: 'The currency is unknown, or differs from the currency of the account.',
  DATE: 'The date or time does not exist, or does not have the format of its field.',
  COUNT: 'The number of records differs from the one that the file states.',
  TOTAL: 'A sum differs from the one that the file states, or is too large.',
  BALANCE: 'The opening balance and the entries do not add up to the closing balance.',
  XML: 'The XML is not well-formed.',
  DOCTYPE: 'The XML has a document type declaration.',
  ENTITY: 'The XML refers to an entity other than the five predefined ones.',
  NAMESPACE: 'The root element is not in the namespace of the format.',
  XML_BOUND: 'An XML element is nested too deeply, or has too many attributes or too long a text.',
} as const satisfies Readonly<Record<string, string>>

export type FaultReason = keyof typeof faultReasons

/**
 * The reason why a settlement file is rejected, and its place. It never contains a value of the file, because values
 * may be account numbers.
 */
export interface FileFault {
  readonly kind: 'fault'
  /** From 1. */
  readonly line: number
  /** The character in the line, from 1; in XML that after the tag or text in question. */
  readonly column: number
  /** The name of the column, field or element. */
  readonly field?: string | undefined
  readonly reason: FaultReason
}

/** A place in a file: line and column, both from 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

/**
 * Thrown by the readers in this package. `readSettlementFile` catches it and yields its fault. It has no stack, because
 * it describes the file.
 */
export class FaultError extends Error {
  override readonly name = 'FaultError'
  readonly fault: FileFault

  constructor(reason: FaultReason, { line, column }: Place, field?: string) {
    super(reason)
    this.fault = { kind: 'fault', line, column, ...(field !== undefined && { field }), reason }
  }
}
