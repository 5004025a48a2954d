/**
 * The kind of a field's content, in the letters of the standard. n: digits. an: letters, digits and spaces. ans: also
 * special characters. ns: digits and special characters. xn: C (credit) or D (debit), then digits. z: track data. b:
 * bytes.
 */
export type Kind = 'n' | 'an' | 'ans' | 'ns' | 'xn' | 'z' | 'b'

/**
 * The reason why the value of a field must be erased after use and masked in print (PCI DSS). CHD: cardholder data.
 * SAD: sensitive authentication data, which is never stored. PII: personal data.
 */
export type Secrecy = 'CHD' | 'SAD' | 'PII'

/** The number of digits of a length indicator: LL, LLL; 0 for a field of fixed length. */
export type LengthDigits = 0 | 2 | 3

/** One row of a table of fields. */
export interface Field<K extends Kind = Kind, S extends Secrecy | undefined = Secrecy | undefined> {
  readonly name: string
  readonly kind: K
  /** The length, or the maximum of a variable length: in characters; of kind b in bytes. */
  readonly length: number
  readonly lengthDigits: LengthDigits
  readonly secrecy: S
}

/** Fields by their number, from 2 to 128. */
export type Fields = Readonly<Record<number, Field>>

/** The value of a field: bytes if they can be erased by the caller, or are no text. */
export type ValueOf<F> = F extends Field<infer K, infer S> ? ValueOfKind<K, S> : never

type ValueOfKind<K, S> = K extends 'b' ? Uint8Array : S extends undefined ? string : Uint8Array

/**
 * A message: the message type of four digits, and values by the number of their field. The value of a secret field is
 * its text in ASCII bytes.
 */
export interface Message<F extends Fields = Fields> {
  readonly type: string
  readonly fields: { readonly [Number in keyof F]?: ValueOf<F[Number]> | undefined }
}

/** Whether the value of a field is bytes. */
export const isBytesField = ({ kind, secrecy }: Field): boolean => kind === 'b' || secrecy !== undefined

interface Rows {
  <K extends Kind>(name: string, kind: K, length: number): Field<K, undefined>
  <K extends Kind, S extends Secrecy>(name: string, kind: K, length: number, secrecy: S): Field<K, S>
}

const rows =
  (lengthDigits: LengthDigits): Rows =>
  <K extends Kind, S extends Secrecy>(name: string, kind: K, length: number, secrecy?: S) => ({
    name,
    kind,
    length,
    lengthDigits,
    secrecy,
  })

/** A field of fixed length. */
export const fixed = rows(0)
/** A field of up to 99 characters. */
export const ll = rows(2)
/** A field of up to 999 characters. */
export const lll = rows(3)
