/**
 * Counts the characters of UTF-8 bytes without decoding them to a string, for secrets.
 *
 * @returns the number of code points, or -1 when the bytes are not valid UTF-8 (RFC 3629: no overlong forms, no
 * surrogates, nothing above U+10FFFF) or contain a control character that is not allowed in text.
 */
export function countCharacters(bytes: Uint8Array): number {
  let count = 0
  for (let i = 0; i < bytes.length; count++) {
    const lead = bytes[i] ?? 0
    const size = bytesOfCharacter(lead)
    if (size === 0 || i + size > bytes.length) return -1
    if (size === 1 && isForbiddenControl(lead)) return -1
    const second = bytes[i + 1] ?? 0
    if (size > 1 && (second < secondByteMin(lead) || second > secondByteMax(lead))) return -1
    for (let k = i + 2; k < i + size; k++) if (((bytes[k] ?? 0) & 0xc0) !== 0x80) return -1
    i += size
  }
  return count
}

/** Text may contain tabs and line breaks, as in memos and addresses, but no other ASCII control character. */
export function isForbiddenControl(code: number): boolean {
  return (code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d) || code === 0x7f
}

/** The number of bytes of a character by its first byte; 0 if no character begins with it. */
function bytesOfCharacter(lead: number): number {
  if (lead < 0x80) return 1
  if (lead < 0xc2) return 0
  if (lead < 0xe0) return 2
  if (lead < 0xf0) return 3
  return lead < 0xf5 ? 4 : 0
}

const secondByteMin = (lead: number): number => (lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80)
const secondByteMax = (lead: number): number => (lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf)
