/** Digits in one encoding, as a search term. */
export interface Needle {
  readonly encoding: string
  readonly bytes: Buffer
}

/** The digits in all searched encodings: text with one or two bytes per character, hex, base64, and packed digits. */
export function needlesOf(digits: string): readonly Needle[] {
  const ascii = Buffer.from(digits)
  const utf16 = Buffer.from(digits, 'utf16le')
  const encodings: readonly (readonly [string, Buffer])[] = [
    ['text', ascii],
    ['UTF-16LE', utf16],
    ['UTF-16BE', Buffer.from(utf16).swap16()],
    // One needle suffices: the hex of ASCII digits has no letters, so case is irrelevant, and the hex of packed digits
    // equals the text.
    ['hex', Buffer.from(ascii.toString('hex'))],
    ...[0, 1, 2].map((offset) => [`base64 at ${offset}`, base64At(ascii, offset)] as const),
    ...packedDigits(digits).map((bytes) => ['packed', bytes] as const),
  ]
  return encodings.map(([encoding, bytes]) => ({ encoding, bytes }))
}

/** The base64 characters that depend only on these bytes, which begin `offset` bytes after a multiple of three. */
function base64At(bytes: Buffer, offset: number): Buffer {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
  const first = Math.ceil((offset * 8) / 6)
  const last = Math.floor(((offset + bytes.length) * 8) / 6)
  return Buffer.from(text.slice(first, last))
}

/** Two digits per byte, from an even and from an odd position, without an unpaired digit. */
function packedDigits(digits: string): Buffer[] {
  const pairs = (text: string): Buffer => Buffer.from(text.slice(0, text.length - (text.length % 2)), 'hex')
  return [pairs(digits), pairs(digits.slice(1))]
}

/** The encodings of the needles that the haystack contains. */
export function foundIn(haystack: Buffer, needles: readonly Needle[]): readonly string[] {
  return needles.filter(({ bytes }) => haystack.includes(bytes)).map(({ encoding }) => encoding)
}
