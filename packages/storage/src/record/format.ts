/**
 * A record: the version; a varint of 4 × the number of values + the encoding of their texts; the head of each value;
 * the texts of all values, one after the other, as tokens, or as they are if they are UTF-16.
 *
 * The head of a value is its kind (2 bits) and a number: the length of a text in UTF-16 code units, or the magnitude of
 * an integer. The first byte has the lowest 5 bits of the number, and further bytes 7 bits each; the highest bit of a
 * byte says that another one follows.
 *
 * A token begins with one byte:
 *
 * 00 n …     n bytes of the text
 * 01         the id of the row
 * 02 …       32 lower-case hexadecimal digits in 16 bytes
 * 03 n d d   n bytes, copied from d bytes before (most significant byte first)
 * 04–1F …    that many characters of `packedCharacters`, two in a byte, the first one in its upper half
 * 20–7E      this byte of the text
 * 80–DF      a word, by its index
 * E0–FF n    a word, by its index less 96: 256 × (byte − E0) + n
 */
export const VERSION = 1

/** How the texts are stored: tokens of ASCII text, tokens of UTF-8, or UTF-16 (only if it has a lone surrogate). */
export const ASCII = 0
export const UTF8 = 1
export const UTF16 = 2

/** Kinds of values. Minus zero is negative. */
export const TEXT = 0
export const NULL = 1
export const POSITIVE = 2
export const NEGATIVE = 3

export const RAW = 0x00
export const ID = 0x01
export const HEX = 0x02
export const COPY = 0x03
export const PACKED_FIRST = 0x04
export const PACKED_LAST = 0x1f
export const LITERAL_FIRST = 0x20
export const LITERAL_LAST = 0x7e
export const WORD_FIRST = 0x80
export const LONG_WORD_FIRST = 0xe0

/** Digits of a hexadecimal number. */
export const HEX_DIGITS = 32
/** Characters of numbers, IP addresses and time stamps, in the order of their codes. */
export const packedCharacters = '0123456789.-: +,'
/** The longest text of a token: of a copy, of raw bytes, and of the id. */
export const TOKEN_BYTES = 255
