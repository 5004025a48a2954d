import type { HeaderName } from '../frames.ts'
import type { SpecName } from '../specs/specs.ts'

/** A message that was damaged at random, in hexadecimal digits, and the fault that its decoder names. */
export type DamagedMessage = readonly [spec: SpecName, hex: string, fault: string]

/** A message whose damage no rule of its specification excludes. */
export const DECODED = 'decoded'

/**
 * Damaged messages, at least one for each guard of the decoder in each dialect: the smallest of 180,000, which the
 * property of codec.test.ts generates. A new guard needs a row.
 */
export const damagedMessages: readonly DamagedMessage[] = [
  ['ascii1987', '3038313530303030F83030303030303030303030', 'bitmap at byte 4: must be hexadecimal digits'],
  ['ascii1987', '303535343030303030303030', 'bitmap at byte 4: must not end after the message'],
  ['ascii1987', '3638303830303030303030303030303030303030', DECODED],
  [
    'ascii1987',
    '32313838383030303030303030303030303030304330303030383030303030303030303033303132313231',
    'field 65 at byte 36: is not in the specification 1987 ASCII',
  ],
  [
    'ascii1987',
    '3735393230303030303030383030303030303030443839783030393135',
    'field 29 at byte 20: must be C or D, then digits',
  ],
  ['ascii1987', '373631363030303030303830303030303030303034A6', 'field 25 at byte 20: must be digits'],
  ['ascii1987', '303230343030303030303030323030303030303030310031', 'field 35 at byte 22: must be digits and ='],
  [
    'ascii1987',
    '363635313030303030303030343030303030303031362D2831215C3F17282B223D5E317D23288C',
    'field 34 at byte 22: must be digits and special characters of ASCII',
  ],
  [
    'ascii1987',
    '3136393530303031303030303030303030323030313832333030363242AB42444144',
    'field 55 at byte 27: must be hexadecimal digits',
  ],
  [
    'ascii1987',
    '3031303030303030303030303030303030323030303033414243',
    'field 55 at byte 20: must have two hexadecimal digits for each byte',
  ],
  [
    'ascii1987',
    '3938353330303030303030303031303030303030F86930',
    'field 40 at byte 20: must be letters, digits and spaces',
  ],
  [
    'ascii1987',
    '3839393330303030303030303030383030303030415DDA775D6D6331',
    'field 41 at byte 20: must be printable characters of ASCII',
  ],
  [
    'ascii1987',
    '363737393030303030303031303030303030303069303434363434',
    'field 32 at byte 20: must begin with its length in digits',
  ],
  [
    'ascii1987',
    '3039323030303030303030313030303130313030313233397C246C4621',
    'field 32 at byte 20: must have at most 11 characters',
  ],
  ['ascii1987', '3632343031303030303030303130303030303030', 'field 4 at byte 20: must not end after the message'],
  ['ascii1987', '35328D31', 'message type at byte 0: must be 4 digits'],
  ['ascii1987', '', 'message type at byte 0: must not end after the message'],
  ['ascii1987', '343033313030303030303030303030303030303030', 'message at byte 20: must end after its last field'],
  ['binary1987', '17149A0000000000007000', 'bitmap at byte 2: must not end after the message'],
  ['binary1987', '275500000000020000005235', DECODED],
  [
    'binary1987',
    '15258000000000000000D900200000000000',
    'field 65 at byte 18: is not in the specification 1987 binary',
  ],
  ['binary1987', '50330000000200000001436E793800', 'field 31 at byte 10: must be C or D, then digits'],
  ['binary1987', '62750004000000320000C909', 'field 14 at byte 10: must be digits'],
  ['binary1987', '7431000000002000020010E3072355140004C3E66E2C7E', 'field 35 at byte 11: must be digits and ='],
  ['binary1987', '348700000000D2000080000191', 'field 34 at byte 12: must be digits and special characters of ASCII'],
  ['binary1987', '83150000000002400019006D', 'field 39 at byte 10: must be letters, digits and spaces'],
  ['binary1987', '5370000000000000CC00E500', 'field 49 at byte 10: must be padded with 0'],
  ['binary1987', '680900000000000001000001D4', 'field 56 at byte 12: must be printable characters of ASCII'],
  ['binary1987', '016100000000C8000000C500', 'field 33 at byte 10: must begin with its length in digits'],
  ['binary1987', '091656000000000000007200', 'field 2 at byte 10: must have at most 19 characters'],
  ['binary1987', '5217008D0000000000400002', 'field 9 at byte 10: must not end after the message'],
  ['binary1987', '47B555800810B500400800', 'message type at byte 0: must be 4 digits'],
  ['binary1987', '12', 'message type at byte 0: must not end after the message'],
  ['binary1987', '537200000040000000006205', 'message at byte 11: must end after its last field'],
  ['binary1993', '17149A0000000000007000', 'bitmap at byte 2: must not end after the message'],
  ['binary1993', '431700010000000000003794', DECODED],
  [
    'binary1993',
    '15258000000000000000D900200000000000',
    'field 65 at byte 18: is not in the specification 1993 binary',
  ],
  [
    'binary1993',
    '97278000000000000000000000008004000043877D889945783722',
    'field 97 at byte 18: must be C or D, then digits',
  ],
  ['binary1993', '92050000400083010000F300', 'field 18 at byte 10: must be digits'],
  ['binary1993', '412200000000010000001A51', 'field 40 at byte 10: must be padded with 0'],
  ['binary1993', '02380000000000002D6BFD0000', 'field 51 at byte 10: must be printable characters of ASCII'],
  ['binary1993', '016100000000C8000000C500', 'field 33 at byte 10: must begin with its length in digits'],
  ['binary1993', '673800000000000008005810AB95B6489527FDC465', 'field 53 at byte 10: must have at most 48 bytes'],
  ['binary1993', '091656000000000000007200', 'field 2 at byte 10: must have at most 19 characters'],
  ['binary1993', '9137020000FA000000000000', 'field 7 at byte 10: must not end after the message'],
  ['binary1993', '99C40000000000', 'message type at byte 0: must be 4 digits'],
  ['binary1993', '12', 'message type at byte 0: must not end after the message'],
  ['binary1993', '51840000004000000000803133', 'message at byte 12: must end after its last field'],
]

/** A stream of frames, in hexadecimal digits, and its frames or the fault that their reader names. */
export type DamagedStream = readonly [header: HeaderName, hex: string, outcome: string]

/** Streams with damaged headers, at least one for each guard of the reader. */
export const damagedStreams: readonly DamagedStream[] = [
  ['binary2', '0004313233340001', 'message 31323334, then a part of a frame'],
  ['binary2', '000000023132', 'control , message 3132'],
  ['binary2', '270F', 'then a part of a frame'],
  ['binary2', '2710', 'message: must be at most 9999 bytes'],
  ['binary2', 'FFFF30', 'message: must be at most 9999 bytes'],
  ['bcd2', '000431323334', 'message 31323334'],
  ['bcd2', '00F431323334', 'message: the header must be digits'],
  ['ascii4', '3030303431323334', 'message 31323334'],
  ['ascii4', '3030304131323334', 'message: the header must be digits'],
  ['ascii4', '30302D3431323334', 'message: the header must be digits'],
  ['vmlh', '0004000031323334', 'message 31323334'],
  ['vmlh', '0004002031323334', 'control 31323334'],
  ['vmlh', '2710000031', 'message: must be at most 9999 bytes'],
  ['tpdu', '000960000000003132333400', 'message 31323334, then a part of a frame'],
  ['tpdu', '0004600000', 'message: must have a routing header'],
  ['tpdu', '0005600000000000', 'control , then a part of a frame'],
]
