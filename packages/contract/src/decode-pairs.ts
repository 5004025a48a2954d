/** One `name=value` of a form body, as offsets into its bytes. */
export interface Pair {
  readonly start: number
  /** Offset of the first `=`. */
  readonly equals: number
  readonly end: number
  /**
   * Bit flags: NAME_ESCAPED and VALUE_ESCAPED for an escape or a plus, NOT_ASCII for a byte above 127. Of a value that
   * was decoded in place, VALUE_INVALID for an invalid escape, VALUE_NOT_ASCII for an escape of a byte above 127.
   */
  readonly flags: number
}

export const NAME_ESCAPED = 1
export const VALUE_ESCAPED = 2
export const NOT_ASCII = 4
export const VALUE_INVALID = 8
export const VALUE_NOT_ASCII = 16

/**
 * Splits application/x-www-form-urlencoded bytes at `&` and the first `=`. Pairs without a value are omitted, because
 * an empty value means that the parameter is absent. Pairs whose name ends in a bracket are kept, because the map
 * `customParameters` accepts empty values.
 *
 * @param max the maximum number of returned pairs
 */
export function splitPairs(body: Uint8Array, max: number): Pair[] {
  const pairs: Pair[] = []
  const { length } = body
  let start = 0
  let equals = -1
  let flags = 0
  for (let i = 0; i <= length; i++) {
    const kind = i < length ? kinds[body[i] ?? 0] : SEPARATOR
    if (kind === PLAIN) continue
    if (kind === SEPARATOR) {
      const isPair = equals > start && (i > equals + 1 || endsInBracket(body, equals))
      if (isPair && pairs.push({ start, equals, end: i, flags }) >= max) return pairs
      start = i + 1
      equals = -1
      flags = 0
    } else if (kind === EQUALS) {
      if (equals < 0) equals = i
    } else if (kind === ESCAPE) flags |= equals < 0 ? NAME_ESCAPED : VALUE_ESCAPED
    else flags |= NOT_ASCII
  }
  return pairs
}

/** Whether the byte before `end` is `]`, or the three bytes before it are `%5D`. */
function endsInBracket(body: Uint8Array, end: number): boolean {
  const last = body[end - 1]
  if (last === 0x5d) return true
  return (last === 0x44 || last === 0x64) && body[end - 2] === 0x35 && body[end - 3] === 0x25
}

const PLAIN = 0
const SEPARATOR = 1
const EQUALS = 2
const ESCAPE = 3
const HIGH = 4

/** The kind of every byte. */
const kinds = Uint8Array.from({ length: 256 }, (_, byte) => (byte > 127 ? HIGH : PLAIN))
for (const [character, kind] of [
  ['&', SEPARATOR],
  ['=', EQUALS],
  ['%', ESCAPE],
  ['+', ESCAPE],
] as const)
  kinds[character.charCodeAt(0)] = kind
