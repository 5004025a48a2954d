import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { encodeMessage } from './codec.ts'
import { createFrameReader, encodeFrame, encodeInFrame, headerNames, isHeaderName, type HeaderName } from './frames.ts'
import { ascii1987 } from './specs/specs.ts'

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'))
const names = headerNames.filter(isHeaderName)

test.each([
  ['binary2', 115, '0073'],
  ['bcd2', 115, '0115'],
  ['ascii4', 115, '30313135'],
  ['vmlh', 115, '00730000'],
  ['tpdu', 115, '00786000000000'],
] as const)('the header %s of %i bytes is %s', (name, length, hex) => {
  const frame = encodeFrame(name, new Uint8Array(length))
  expect(hexOf(frame.subarray(0, hex.length / 2))).toBe(hex)
  expect(frame.length).toBe(hex.length / 2 + length)
})

describe.each(names)('%s', (name: HeaderName) => {
  it('reads all messages, in whatever parts they arrive', () => {
    const messages = fc.array(fc.uint8Array({ minLength: 1, maxLength: 300 }), { maxLength: 5 })
    fc.assert(
      fc.property(messages, fc.infiniteStream(fc.integer({ min: 1, max: 40 })), (sent, sizes) => {
        const stream = Buffer.concat(sent.map((message) => encodeFrame(name, message)))
        const reader = createFrameReader(name)
        const received: string[] = []
        for (let offset = 0; offset < stream.length; ) {
          const size: number = sizes.next().value ?? 1
          const chunk = Uint8Array.from(stream.subarray(offset, offset + size))
          for (const { kind, bytes } of reader.push(chunk)) received.push(`${kind} ${hexOf(bytes)}`)
          expect(chunk.every((byte) => byte === 0)).toBe(true)
          offset += size
        }
        expect(received).toEqual(sent.map((message) => `message ${hexOf(message)}`))
        expect(reader.isWithinFrame()).toBe(false)
      }),
    )
  })

  it('refuses a frame above the limit before its content arrives', () => {
    expect(() => encodeFrame(name, new Uint8Array(10_000))).toThrow('must be at most 9999 bytes')
  })
})

test.each([
  ['binary2', 'FFFF', 'must be at most 9999 bytes'],
  ['vmlh', '27100000', 'must be at most 9999 bytes'],
  ['bcd2', '1A00', 'the header must be digits'],
  ['ascii4', '30312035', 'the header must be digits'],
  ['tpdu', '0004', 'must have a routing header'],
] as const)('the header %s refuses %s', (name, hex, message) => {
  expect(() => [...createFrameReader(name).push(bytesOf(hex))]).toThrow(message)
})

test.each([
  ['vmlh', '00020020 0102'],
  ['binary2', '0000'],
] as const)('%s marks the frame %s as a control frame', (name, hex) => {
  const [frame] = createFrameReader(name).push(bytesOf(hex))
  expect(frame?.kind).toBe('control')
})

it('delivers the frames before an invalid header, and erases the bytes', () => {
  const chunk = bytesOf('0001 AA 0002 BBCC FFFF 0001 DD')
  const received: string[] = []
  expect(() => {
    for (const { bytes } of createFrameReader('binary2').push(chunk)) received.push(hexOf(bytes))
  }).toThrow('must be at most 9999 bytes')
  expect(received).toEqual(['aa', 'bbcc'])
  expect(chunk.every((byte) => byte === 0)).toBe(true)
})

it('erases a part of a frame', () => {
  const reader = createFrameReader('binary2')
  expect([...reader.push(bytesOf('0004 0102'))]).toEqual([])
  expect(reader.isWithinFrame()).toBe(true)
  reader.wipe()
  expect(reader.isWithinFrame()).toBe(false)
  expect(Array.from(reader.push(bytesOf('0001 FF')), ({ bytes }) => hexOf(bytes))).toEqual(['ff'])
})

test.each(names)('a message is encoded in a frame %s as its encoded bytes are', (name) => {
  const message = { type: '0800', fields: { 7: '1120093015', 11: '000123', 70: '301' } } as const
  expect(encodeInFrame(name, ascii1987, message)).toEqual(encodeFrame(name, encodeMessage(ascii1987, message)))
})
