import { type Content, type Contents, hexText, packedContents, plain, textContents } from './content.ts'
import type { Fields } from './field.ts'

/** The encodings of a dialect. */
export interface Dialect {
  /** The message type, the length indicators, and the number in a frame's header are digits. */
  readonly digits: Content
  readonly bitmap: Content
  readonly contents: Contents
  /** Whether the length indicator of bytes (kind b) counts characters of hexadecimal text instead of bytes. */
  readonly countsHexDigits: boolean
}

/** Text: digits as characters, the bitmap and bytes as hexadecimal digits. */
export const ascii: Dialect = { digits: plain, bitmap: hexText, contents: textContents, countsHexDigits: true }

/** Digits in BCD, the bitmap and bytes as they are. */
export const binary: Dialect = {
  digits: packedContents.fixed.n,
  bitmap: plain,
  contents: packedContents,
  countsHexDigits: false,
}

/** The fields of an edition in a dialect. A link to an acquirer uses one specification. */
export interface Spec<F extends Fields = Fields> {
  readonly name: string
  readonly fields: F
  readonly dialect: Dialect
}
