import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeBase64Url, encodeBase64Url } from './base64url.ts'

describe('base64url', () => {
  it('decodes to the same bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const text = encodeBase64Url(bytes)
        expect(text).not.toMatch(/[+/=]/)
        expect(new Uint8Array(decodeBase64Url(text, 1_000) ?? [9])).toEqual(bytes)
      }),
    )
  })

  it.each(['YQ==', 'YQ=', 'Y', 'YR', 'a+b/', 'a b', 'Y\n', 'é'])('%j is refused', (text) => {
    expect(decodeBase64Url(text, 100)).toBeUndefined()
  })

  it('is refused above its limit', () => expect(decodeBase64Url('aaaa', 3)).toBeUndefined())
})
