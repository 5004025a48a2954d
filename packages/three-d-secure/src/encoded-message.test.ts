import { describe, expect, it } from 'vitest'
import { decodeMessage, encodeMessage } from './encoded-message.ts'
import { fault } from './fault.ts'
import { limits } from './limits.ts'
import type { MessageOf } from './messages/messages.ts'

const id = 'd290f1ee-6c54-4b01-90e6-d701748f0851'

describe('a message in a form field', () => {
  const creq: MessageOf<'CReq'> = {
    messageVersion: '2.1.0',
    threeDSServerTransID: id,
    acsTransID: id,
    challengeWindowSize: '05',
  }
  const browser = { deviceChannel: '02' } as const

  it('decodes to the same message', () =>
    expect(decodeMessage('CReq', encodeMessage('CReq', creq, browser), browser)).toEqual({ ok: creq }))

  it.each([
    ['an empty text', ''],
    ['padding without data', '='],
    ['base64url of bytes that are not UTF-8', 'creq'],
    ['a message with padding', `${encodeMessage('CReq', creq)}=`],
    ['a text above the limit', 'A'.repeat(limits.encodedCharsMax + 1)],
  ])('is refused if it is malformed or too long: %s', (_name, text) =>
    expect(decodeMessage('CReq', text)).toHaveProperty('fault.errorCode', '101'),
  )

  it('is refused if its type is not the expected type', () => {
    expect(decodeMessage('CRes', encodeMessage('CReq', creq))).toEqual({ fault: fault('101', 'messageType') })
  })
})
