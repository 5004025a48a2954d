import { Secret } from '@tollgate/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { erroOf, fault } from './fault.ts'
import { limits } from './limits.ts'
import { messageTypes } from './messages/message-type.ts'
import type { MessageOf } from './messages/messages.ts'
import { openMessage } from './open-message.ts'
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
    ['no JSON', 'hello', '101', 'the message is not a JSON object'],
    ['half of one', json().slice(0, -1), '101', 'the message is not a JSON object'],
    ['a list', '[]', '101', 'the message is not a JSON object'],
    ['nothing', '', '101', 'the message is not a JSON object'],
    ['no type', json({ messageType: undefined }), '101', 'messageType'],
    ['a type of another kind', json({ messageType: 'RReq' }), '101', 'messageType'],
    ['a type that there is not', json({ messageType: 'constructor' }), '101', 'messageType'],
    ['a version that is not spoken', json({ messageVersion: '2.3.1' }), '102', 'messageVersion'],
    ['another version than the transaction’s', json({ messageVersion: '2.1.0' }), '102', 'messageVersion'],
    ['no version', json({ messageVersion: undefined }), '201', 'messageVersion'],
    ['a field too few', json({ resultsStatus: undefined }), '201', 'resultsStatus'],
    ['a field that is malformed', json({ resultsStatus: '04' }), '203', 'resultsStatus'],
    ['two of them', json({ resultsStatus: 1, dsTransID: 'x' }), '203', 'dsTransID, resultsStatus'],
    ['a field twice', json().replace('{', '{"resultsStatus":"02",'), '204', 'resultsStatus'],
    [
      'a field twice, in disguise',
      json().replace('{', String.raw`{"results\u0053tatus":"02",`),
      '204',
      'resultsStatus',
    ],
    ['a duplicate name that is no field', '{"<b>":1,"<b>":2}', '204', 'a field'],
    ['another transaction', json({ acsTransID: id('9') }), '301', 'acsTransID'],
    [
      'all of another transaction',
      json({ threeDSServerTransID: id('9'), acsTransID: id('9') }),
      '301',
      'threeDSServerTransID, acsTransID',
    ],
    ['nesting', json({ deep: JSON.parse('['.repeat(40) + ']'.repeat(40)) }), '101', 'the message is nested too deeply'],
    ['too much', json({ long: 'x'.repeat(limits.messageBytesMax.RRes) }), '101', 'the message is too long'],
    ['far too much', 'x'.repeat(limits.messageBytesMax.PRes + 1), '101', 'the message is too long'],
  ])('refuses %s', (_, text, errorCode, errorDetail) => {
    const context = { ...rres, messageVersion: '2.2.0' } as const
    expect(readMessage('RRes', text, context)).toEqual({ fault: { errorCode, errorDetail } })
    expect(readMessage('RRes', Buffer.from(text), context)).toEqual({ fault: { errorCode, errorDetail } })
  })

  it('refuses bytes that are no UTF-8', () => {
    const bytes = new Uint8Array(Buffer.from(json({ resultsStatus: '\u00e9' }), 'latin1'))
    expect(readMessage('RRes', bytes)).toEqual({ fault: fault('101', 'the message is not UTF-8') })
  })

  it('ignores fields that it does not know, and those of other channels', () => {
    expect(readMessage('RRes', json({ newField: 1, toString: 'x' }))).toEqual({ ok: rres })
    expect(readMessage('RRes', json({ sdkTransID: 'not looked at' }), { deviceChannel: '02' })).toEqual({ ok: rres })
    expect(readMessage('RRes', json({ sdkTransID: 'looked at' }), { deviceChannel: '01' })).toEqual({
      fault: fault('203', 'sdkTransID'),
    })
  })

  it('takes ids in either case for the same', () => {
    expect(readMessage('RRes', json(), { acsTransID: id('2').toUpperCase() })).toEqual({ ok: rres })
  })

  it.each([
    ['critical and unknown', 'A000000999_new', true, { fault: fault('202', 'A000000999_new') }],
    ['critical, unknown, and named by a joker', '<script>', true, { fault: fault('202', 'messageExtension') }],
  ])('refuses an extension that is %s', (_, extensionId, criticalityIndicator, expected) => {
    const messageExtension = [{ name: 'new', id: extensionId, criticalityIndicator, data: {} }]
    expect(readMessage('RRes', json({ messageExtension }))).toEqual(expected)
  })

  it.each([
    ['A000000999_new', false],
    ['A000000042_CB-AVALGO', true],
    ['tollgate.simulator', true],
  ])('takes the extension %s, critical: %s', (extensionId, criticalityIndicator) => {
    const messageExtension = [{ name: 'one', id: extensionId, criticalityIndicator, data: { some: 'data' } }]
    expect(readMessage('RRes', json({ messageExtension }))).toEqual({ ok: { ...rres, messageExtension } })
  })

  it('tells an error message of the other side from a message that is wrong', () => {
    const erro = erroOf(fault('203', 'purchaseAmount'), { errorComponent: 'D', threeDSServerTransID: id('1') })
    const written = writeMessage('Erro', erro)
    expect(readMessage('ARes', written)).toEqual({ erro })
    expect(readMessage('Erro', written)).toEqual({ ok: erro })
    expect(readMessage('ARes', '{"messageType":"Erro","messageVersion":"2.2.0"}')).toEqual({
      fault: fault('201', 'errorCode', 'errorComponent', 'errorDescription', 'errorDetail'),
    })
  })

  it('can be done in two steps, to look the transaction up in between', () => {
    const opened = openMessage(json())
    if ('fault' in opened) throw new Error('it is one')
    expect(opened.fields['acsTransID']).toBe(id('2'))
    expect(readMessage('RRes', opened, { acsTransID: id('2') })).toEqual({ ok: rres })
  })

  it('never throws, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(...messageTypes), (bytes, kind) => {
        expect(readMessage(kind, bytes)).toHaveProperty('fault')
      }),
      { numRuns: 300 },
    )
  })

  it('never throws, whatever the JSON', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(...messageTypes), (text, kind) => {
        expect(readMessage(kind, text)).toHaveProperty('fault')
      }),
      { numRuns: 300 },
    )
  })

  it('never throws on a message that was damaged on its way', () => {
    const whole = Buffer.from(json())
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), (at, byte) => {
        const bytes = new Uint8Array(whole)
        bytes[at] = byte
        const read = readMessage('RRes', bytes, rres)
        expect('ok' in read || 'fault' in read).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})

describe('writing a message', () => {
  it('throws where it breaks its table, naming fields and no values', () => {
    const secretive = { ...rres, resultsStatus: '03', dsTransID: 'a secret value' } as const
    expect(() => writeMessage('RRes', secretive)).toThrow('invalid RRes: 203 dsTransID')
    expect(() => writeMessage('RRes', secretive)).not.toThrow('secret')
  })

  it('throws on unknown fields', () => {
    const more: MessageOf<'RRes'> = Object.assign({}, rres, { acctNumber: '4200000000000000' })
    expect(() => writeMessage('RRes', more)).toThrow('unknown fields of a RRes: acctNumber')
  })

  it('puts the card number into the bytes alone, where it can be wiped', () => {
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
