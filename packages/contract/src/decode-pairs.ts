/** One `name=value` of a form body, as offsets into its bytes. */
export interface Pair {
  readonly start: number
  /** Offset of the first `=`. */
  readonly equals: number
  readonly end: number
  /** Whether there is more than plain ASCII to the name, to the value: an escape or a plus, a byte above 127. */
  readonly marks: number
}

export const NAME_ESCAPED = 1
export const VALUE_ESCAPED = 2
export const NOT_ASCII = 4

/**
 * Splits application/x-www-form-urlencoded bytes at `&` and the first `=`. Pairs without a value are left out: an empty
 * value means absent.
 *
 * @param max no more pairs than this are returned
 */
export function splitPairs(body: Uint8Array, max: number): Pair[] {
  const pairs: Pair[] = []
  let start = 0
  let equals = -1
  let marks = 0
  for (let i = 0; i <= body.length; i++) {
    const byte = i < body.length ? body[i] : AMPERSAND
    if (byte === AMPERSAND) {
      if (equals > start && i > equals + 1 && pairs.push({ start, equals, end: i, marks }) >= max) return pairs
      start = i + 1
      equals = -1
      marks = 0
    } else if (byte === EQUALS && equals < 0) equals = i
    else if (byte === PERCENT || byte === PLUS) marks |= equals < 0 ? NAME_ESCAPED : VALUE_ESCAPED
    else if (byte !== undefined && byte > 127) marks |= NOT_ASCII
  }
  return pairs
}

const AMPERSAND = 0x26
const EQUALS = 0x3d
const PERCENT = 0x25
const PLUS = 0x2b
