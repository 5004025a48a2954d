import { describe, expect, it } from 'vitest'
import { encodeBase64Url } from './base64url.ts'
import { decodeMethodData, encodeMethodData } from './method-data.ts'

const id = 'd290f1ee-6c54-4b01-90e6-d701748f0851'

describe('method data', () => {
  const request = { threeDSServerTransID: id, threeDSMethodNotificationURL: 'https://pay.example/method' }
  const response = { threeDSServerTransID: id }
  const encode = (value: unknown): string => encodeBase64Url(Buffer.from(JSON.stringify(value)))

  it.each([request, response])('%j decode to the same data', (data) =>
    expect(decodeMethodData(encodeMethodData(data))).toEqual(data),
  )

  it.each([
    ['text that is not base64url', '{}'],
    ['text that is not JSON', 'aaaa'],
    ['a list', encode([id])],
    ['no id', encode({ threeDSMethodNotificationURL: 'https://pay.example' })],
    ['an invalid id', encode({ threeDSServerTransID: `${id}x` })],
    ['an address that is not on the web', encode({ ...request, threeDSMethodNotificationURL: 'javascript:alert(1)' })],
    [
      'an address that is too long',
      encode({ ...request, threeDSMethodNotificationURL: `https://x.example/${'x'.repeat(256)}` }),
    ],
    ['two ids', encodeBase64Url(Buffer.from(`{"threeDSServerTransID":"${id}","threeDSServerTransID":"${id}"}`))],
    ['nested data', encode({ ...request, more: [] })],
    ['data above the limit', encode({ ...request, more: 'x'.repeat(5_000) })],
  ])('are refused: %s', (_name, text) => expect(decodeMethodData(text)).toBeUndefined())
})
