import { type Pair, VALUE_INVALID, VALUE_NOT_ASCII } from './decode-pairs.ts'

/**
 * Decodes form-encoded bytes: `%41` is A, `+` is a space.
 *
 * @returns a copy in an ArrayBuffer of its own, outside the JavaScript heap, so that erasing it leaves no other copy
 * (V8 keeps small typed arrays on the heap, where it may move them); undefined if an escape is invalid
 */
export function unescapeBytes(bytes: Uint8Array, start: number, end: number): Uint8Array | undefined {
  let size = end - start
  for (let i = start; i < end; i++) if (bytes[i] === PERCENT) size -= 2
  if (size < 0) return undefined
  const copy = new Uint8Array(new ArrayBuffer(size))
  for (let i = start, k = 0; i < end; i++, k++) {
    const byte = bytes[i] ?? 0
    if (byte === PERCENT) {
      const escaped = escapedByte(bytes, i, end)
      if (escaped < 0) {
        copy.fill(0)
        return undefined
      }
      copy[k] = escaped
      i += 2
    } else copy[k] = byte === PLUS ? SPACE : byte
  }
  return copy
}

/**
 * Decodes the form-encoded value of a pair in place.
 * @returns the pair with the end of the decoded value, whose flags tell whether the value is invalid or not ASCII
 */
export function unescapeValue(bytes: Uint8Array, { start, equals, end, flags }: Pair): Pair {
  let decodedFlags = flags
  let target = equals + 1
  for (let i = target; i < end; i++, target++) {
    const byte = bytes[i] ?? 0
    if (byte === PERCENT) {
      const escaped = escapedByte(bytes, i, end)
      if (escaped < 0) return { start, equals, end, flags: flags | VALUE_INVALID }
      if (escaped > 127) decodedFlags |= VALUE_NOT_ASCII
      bytes[target] = escaped
      i += 2
    } else bytes[target] = byte === PLUS ? SPACE : byte
  }
  return { start, equals, end: target, flags: decodedFlags }
}

/** Whether the form-encoded bytes are the name, without decoding them to a string. */
export function encodesName(bytes: Uint8Array, start: number, end: number, name: Uint8Array): boolean {
  let i = start
  for (let k = 0; k < name.length; k++, i++) {
    if (i >= end) return false
    let byte = bytes[i]
    if (byte === PERCENT) {
      byte = escapedByte(bytes, i, end)
      i += 2
    }
    if (byte !== name[k]) return false
  }
  return i === end
}

/** The byte of the escape at `i`; -1 if the escape is invalid. */
function escapedByte(bytes: Uint8Array, i: number, end: number): number {
  if (i + 2 >= end) return -1
  const high = hexDigit(bytes[i + 1])
  const low = hexDigit(bytes[i + 2])
  return high < 0 || low < 0 ? -1 : high * 16 + low
}

function hexDigit(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}

const PERCENT = 0x25
const PLUS = 0x2b
const SPACE = 0x20
