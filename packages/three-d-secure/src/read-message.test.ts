import { Secret } from '@tollgate/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { erroOf, fault } from './fault.ts'
import { limits } from './limits.ts'
import { messageTypes } from './messages/message-type.ts'
import type { MessageOf } from './messages/messages.ts'
import { parseMessage } from './parse-message.ts'
import { readMessage } from './read-message.ts'
import { writeMessage } from './write-message.ts'

const id = (last: string): string => `d290f1ee-6c54-4b01-90e6-d701748f085${last}`

const rres: MessageOf<'RRes'> = {
  messageVersion: '2.2.0',
  threeDSServerTransID: id('1'),
  acsTransID: id('2'),
  dsTransID: id('3'),
  resultsStatus: '01',
}
const json = (changes: object = {}): string => JSON.stringify({ messageType: 'RRes', ...rres, ...changes })

describe('reading a message', () => {
  it.each([
    ['text that is not JSON', 'hello', '101', 'the message is not a JSON object'],
    ['truncated JSON', json().slice(0, -1), '101', 'the message is not a JSON object'],
    ['a list', '[]', '101', 'the message is not a JSON object'],
    ['an empty text', '', '101', 'the message is not a JSON object'],
    ['no type', json({ messageType: undefined }), '101', 'messageType'],
    ['a type other than the expected type', json({ messageType: 'RReq' }), '101', 'messageType'],
    ['an unknown type', json({ messageType: 'constructor' }), '101', 'messageType'],
    ['an unsupported version', json({ messageVersion: '2.3.1' }), '102', 'messageVersion'],
    ['a version other than the transaction’s', json({ messageVersion: '2.1.0' }), '102', 'messageVersion'],
    ['no version', json({ messageVersion: undefined }), '201', 'messageVersion'],
    ['a missing field', json({ resultsStatus: undefined }), '201', 'resultsStatus'],
    ['a malformed field', json({ resultsStatus: '04' }), '203', 'resultsStatus'],
    ['two malformed fields', json({ resultsStatus: 1, dsTransID: 'x' }), '203', 'dsTransID, resultsStatus'],
    ['a duplicate field', json().replace('{', '{"resultsStatus":"02",'), '204', 'resultsStatus'],
    [
      'a duplicate field with an escaped name',
      json().replace('{', String.raw`{"results\u0053tatus":"02",`),
      '204',
      'resultsStatus',
    ],
    ['a duplicate name that is no field', '{"<b>":1,"<b>":2}', '204', 'a field'],
    ['an id of another transaction', json({ acsTransID: id('9') }), '301', 'acsTransID'],
    [
      'two ids of another transaction',
      json({ threeDSServerTransID: id('9'), acsTransID: id('9') }),
      '301',
      'threeDSServerTransID, acsTransID',
    ],
    [
      'deep nesting',
      json({ deep: JSON.parse('['.repeat(40) + ']'.repeat(40)) }),
      '101',
      'the message is nested too deeply',
    ],
    [
      'a message above the limit of its type',
      json({ long: 'x'.repeat(limits.messageBytesMax.RRes) }),
      '101',
      'the message is too long',
    ],
    ['a message above all limits', 'x'.repeat(limits.messageBytesMax.PRes + 1), '101', 'the message is too long'],
  ])('refuses %s', (_name, text, errorCode, errorDetail) => {
    const context = { ...rres, messageVersion: '2.2.0' } as const
    expect(readMessage('RRes', text, context)).toEqual({ fault: { errorCode, errorDetail } })
    expect(readMessage('RRes', Buffer.from(text), context)).toEqual({ fault: { errorCode, errorDetail } })
  })

  it('refuses bytes that are not UTF-8', () => {
    const bytes = new Uint8Array(Buffer.from(json({ resultsStatus: '\u00e9' }), 'latin1'))
    expect(readMessage('RRes', bytes)).toEqual({ fault: fault('101', 'the message is not UTF-8') })
  })

  it('ignores unknown fields and fields of other channels', () => {
    expect(readMessage('RRes', json({ newField: 1, toString: 'x' }))).toEqual({ ok: rres })
    expect(readMessage('RRes', json({ sdkTransID: 'ignored' }), { deviceChannel: '02' })).toEqual({ ok: rres })
    expect(readMessage('RRes', json({ sdkTransID: 'malformed' }), { deviceChannel: '01' })).toEqual({
      fault: fault('203', 'sdkTransID'),
    })
  })

  it('compares ids without regard to case', () => {
    expect(readMessage('RRes', json(), { acsTransID: id('2').toUpperCase() })).toEqual({ ok: rres })
  })

  it.each([
    ['critical and unknown', 'A000000999_new', true, { fault: fault('202', 'A000000999_new') }],
    ['critical and unknown, with markup in its id', '<script>', true, { fault: fault('202', 'messageExtension') }],
  ])('refuses an extension that is %s', (_name, extensionId, criticalityIndicator, expected) => {
    const messageExtension = [{ name: 'new', id: extensionId, criticalityIndicator, data: {} }]
    expect(readMessage('RRes', json({ messageExtension }))).toEqual(expected)
  })

  it.each([
    ['A000000999_new', false],
    ['A000000042_CB-AVALGO', true],
    ['tollgate.simulator', true],
  ])('accepts the extension %s, critical: %s', (extensionId, criticalityIndicator) => {
    const messageExtension = [{ name: 'one', id: extensionId, criticalityIndicator, data: { some: 'data' } }]
    expect(readMessage('RRes', json({ messageExtension }))).toEqual({ ok: { ...rres, messageExtension } })
  })

  it('distinguishes a received error message from an invalid message', () => {
    const erro = erroOf(fault('203', 'purchaseAmount'), { errorComponent: 'D', threeDSServerTransID: id('1') })
    const written = writeMessage('Erro', erro)
    expect(readMessage('ARes', written)).toEqual({ erro })
    expect(readMessage('Erro', written)).toEqual({ ok: erro })
    expect(readMessage('ARes', '{"messageType":"Erro","messageVersion":"2.2.0"}')).toEqual({
      fault: fault('201', 'errorCode', 'errorComponent', 'errorDescription', 'errorDetail'),
    })
  })

  it('has two steps, so that the transaction can be looked up between them', () => {
    const parsed = parseMessage(json())
    if ('fault' in parsed) throw new Error('the message was not parsed')
    expect(parsed.fields['acsTransID']).toBe(id('2'))
    expect(readMessage('RRes', parsed, { acsTransID: id('2') })).toEqual({ ok: rres })
  })

  it('never throws for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(...messageTypes), (bytes, kind) => {
        expect(readMessage(kind, bytes)).toHaveProperty('fault')
      }),
      { numRuns: 300 },
    )
  })

  it('never throws for any JSON', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(...messageTypes), (text, kind) => {
        expect(readMessage(kind, text)).toHaveProperty('fault')
      }),
      { numRuns: 300 },
    )
  })

  it('never throws for a message with a corrupted byte', () => {
    const valid = Buffer.from(json())
    fc.assert(
      fc.property(fc.nat(valid.length - 1), fc.nat(255), (index, byte) => {
        const bytes = new Uint8Array(valid)
        bytes[index] = byte
        const read = readMessage('RRes', bytes, rres)
        expect('ok' in read || 'fault' in read).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})

describe('writing a message', () => {
  it('throws for an invalid message, with the names of fields and no values', () => {
    const invalid = { ...rres, resultsStatus: '03', dsTransID: 'a secret value' } as const
    expect(() => writeMessage('RRes', invalid)).toThrow('invalid RRes: 203 dsTransID')
    expect(() => writeMessage('RRes', invalid)).not.toThrow('secret')
  })

  it('throws on unknown fields', () => {
    const extended: MessageOf<'RRes'> = Object.assign({}, rres, { acctNumber: '4200000000000000' })
    expect(() => writeMessage('RRes', extended)).toThrow('unknown fields of a RRes: acctNumber')
  })

  it('writes the digits of a card number, and throws after the card number is wiped', () => {
    const acctNumber = new Secret(new Uint8Array(Buffer.from('4200000000000042')))
    const areq: MessageOf<'AReq'> = {
      messageVersion: '2.2.0',
      deviceChannel: '03',
      messageCategory: '02',
      threeDSServerTransID: id('1'),
      threeDSServerRefNumber: 'ref',
      threeDSServerURL: 'https://pay.example/3ds',
      threeDSRequestorID: 'requestor',
      threeDSRequestorName: 'Shop',
      threeDSRequestorURL: 'https://shop.example',
      threeRIInd: '03',
      acctNumber,
    }
    const bytes = writeMessage('AReq', areq)
    const read = readMessage('AReq', bytes)
    expect('ok' in read && read.ok.acctNumber.use((digits) => Buffer.from(digits).toString())).toBe('4200000000000042')
    acctNumber.wipe()
    expect(() => writeMessage('AReq', areq)).toThrow('203 acctNumber')
  })
})
