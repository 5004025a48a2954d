import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { createPacketReader, createPacketSplitter, encode, encodePacket, PacketError } from './packets.ts'

describe('a stream', () => {
  test('is cut into its packets, however it is split', () => {
    const packets = fc.array(fc.uint8Array({ minLength: 1, maxLength: 200 }), { minLength: 1, maxLength: 10 })
    fc.assert(
      fc.property(packets, fc.integer({ min: 1, max: 50 }), (contents, chunkBytes) => {
        const stream = Buffer.concat(contents.map((content) => encode.bytes(content)))
        const { push } = createPacketSplitter()
        const found: Buffer[] = []
        for (let position = 0; position < stream.length; position += chunkBytes)
          found.push(...push(stream.subarray(position, position + chunkBytes)))
        expect(found).toEqual(contents.map((content) => Buffer.from(content)))
      }),
    )
  })

  test.each([0, limits.packetBytesMax + 1, 0x7fffffff, 0x80000000, 0xffffffff])(
    'with a packet of %d bytes is refused before they arrive',
    (bytes) => expect(() => [...createPacketSplitter().push(encode.uint32(bytes))]).toThrow(PacketError),
  )
})

describe('a packet', () => {
  test('keeps its values', () => {
    const info = { kind: 'file', sizeBytes: 2 ** 40 + 5, modifiedAtMs: 1_700_000_000_000 } as const
    const packet = encodePacket(7, encode.uint32(0xffffffff), encode.bytes('ä'), encode.attributes(info))
    const reader = createPacketReader(packet.subarray(4))
    expect(packet.readUInt32BE()).toBe(packet.length - 4)
    expect([reader.uint8(), reader.uint32(), reader.bytes().toString()]).toEqual([7, 0xffffffff, 'ä'])
    expect(reader.attributes()).toEqual({
      sizeBytes: info.sizeBytes,
      modifiedAtMs: info.modifiedAtMs,
      permissions: 0o100644,
    })
    expect(reader.isAtEnd()).toBe(true)
  })

  test('of random bytes is read or refused, and nothing else', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        for (const value of ['uint8', 'uint32', 'uint64', 'bytes', 'attributes'] as const)
          try {
            createPacketReader(Buffer.from(bytes))[value]()
          } catch (error) {
            expect(error).toBeInstanceOf(PacketError)
          }
      }),
    )
  })

  test('with four thousand million extended attributes is refused', () => {
    const packet = Buffer.concat([encode.uint32(0x80000000), encode.uint32(0xffffffff)])
    expect(() => createPacketReader(packet).attributes()).toThrow(PacketError)
  })
})
