const ALPHABET = /^[A-Za-z0-9_-]*$/

/** Base64url without padding (RFC 4648, section 5), as in `creq`, `cres` and `threeDSMethodData`. */
export const encodeBase64Url = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64url')

/**
 * Decodes base64url without padding.
 *
 * @param charsMax the maximum length of the text, which is checked before decoding
 * @returns undefined for any other text: padding, other characters, excess bits
 */
export function decodeBase64Url(text: string, charsMax: number): Uint8Array | undefined {
  if (text.length > charsMax || text.length % 4 === 1 || !ALPHABET.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : undefined
}
