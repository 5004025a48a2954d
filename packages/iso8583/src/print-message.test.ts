import { expect, it } from 'vitest'
import { encodeIccData } from './ber-tlv.ts'
import { printMessage } from './print-message.ts'
import { encodePrivateData } from './private-data.ts'
import { ascii1987 } from './specs/specs.ts'

const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'))

it('prints every field, and masks secrets', () => {
  const printed = printMessage(ascii1987, {
    type: '0100',
    fields: {
      2: bytes('4200000000000091'),
      4: '000000009200',
      14: '3112',
      35: bytes('4200000000000091=31122011234'),
      48: encodePrivateData(
        new Map<string, string | Uint8Array>([
          ['01', bytes('737')],
          ['02', '05'],
        ]),
      ),
      52: new Uint8Array(8).fill(7),
      55: encodeIccData([{ tag: '57', value: bytes('secret') }]),
      64: new Uint8Array(8).fill(1),
    },
  })
  expect(printed).toBe(
    [
      'type 0100',
      '  2 Primary account number: 420000******0091',
      '  4 Amount, transaction: 000000009200',
      ' 14 Date, expiration: *** (4)',
      ' 35 Track 2 data: *** (28)',
      ' 48 Additional data, private: 01=*** (3) 02=05',
      ' 52 PIN data: *** (8)',
      ' 55 ICC data, EMV BER-TLV: 57=*** (6)',
      ' 64 Message authentication code: 0101010101010101',
    ].join('\n'),
  )
})

it('prints only the length of damaged private data and of a short card number', () => {
  expect(printMessage(ascii1987, { type: '0100', fields: { 2: bytes('42000091'), 48: bytes('01003') } })).toBe(
    ['type 0100', '  2 Primary account number: *** (8)', ' 48 Additional data, private: *** (5)'].join('\n'),
  )
})
