import { limits } from '../limits.ts'
import { attributeFlags, fileModes } from './constants.ts'

/** A packet that violates the protocol. Its connection cannot be used any more. */
export class PacketError extends Error {}

/** A file or a folder. Links and special files have no such description. */
export interface FileInfo {
  readonly kind: 'file' | 'folder'
  readonly sizeBytes: number
  readonly modifiedAtMs: number
}

/** Attributes as the other side sends them, each part if it does. */
export interface Attributes {
  readonly sizeBytes?: number
  readonly permissions?: number
  readonly modifiedAtMs?: number
}

/**
 * Cuts a stream into packets.
 *
 * @throws PacketError from `push` if a packet is empty or longer than `limits.packetBytesMax`
 */
export function createPacketSplitter(): { readonly push: (chunk: Uint8Array) => Generator<Buffer> } {
  const header = Buffer.alloc(4)
  let headerBytes = 0
  let packet: Buffer | undefined
  let packetBytes = 0

  function* push(chunk: Uint8Array): Generator<Buffer> {
    let position = 0
    while (position < chunk.length) {
      if (packet === undefined) {
        header[headerBytes++] = chunk[position++] ?? 0
        if (headerBytes === header.length) packet = newPacket(header.readUInt32BE())
        continue
      }
      const part = chunk.subarray(position, position + packet.length - packetBytes)
      packet.set(part, packetBytes)
      packetBytes += part.length
      position += part.length
      if (packetBytes < packet.length) return
      const whole = packet
      packet = undefined
      packetBytes = headerBytes = 0
      yield whole
    }
  }
  return { push }
}

function newPacket(bytes: number): Buffer {
  if (bytes === 0 || bytes > limits.packetBytesMax) throw new PacketError(`a packet has ${bytes} bytes`)
  return Buffer.alloc(bytes)
}

export type PacketReader = ReturnType<typeof createPacketReader>

/** Reads the values of a packet, one after another. Each read throws a PacketError if the packet ends before. */
export function createPacketReader(packet: Buffer) {
  let position = 0
  const take = (bytes: number): number => {
    if (bytes > packet.length - position) throw new PacketError('a packet ends too early')
    const start = position
    position += bytes
    return start
  }
  const uint8 = (): number => packet.readUInt8(take(1))
  const uint32 = (): number => packet.readUInt32BE(take(4))
  /** Larger numbers than JavaScript's integers are replaced by the largest one. */
  const uint64 = (): number =>
    Math.min(packet.readUInt32BE(take(4)) * 2 ** 32 + packet.readUInt32BE(take(4)), Number.MAX_SAFE_INTEGER)
  const bytes = (): Buffer => {
    const length = uint32()
    const start = take(length)
    return packet.subarray(start, start + length)
  }

  function attributes(): Attributes {
    const flags = uint32()
    const sizeBytes = flags & attributeFlags.SIZE ? uint64() : undefined
    if (flags & attributeFlags.OWNER) take(8)
    const permissions = flags & attributeFlags.PERMISSIONS ? uint32() : undefined
    if (flags & attributeFlags.TIMES) take(4)
    const modifiedAtMs = flags & attributeFlags.TIMES ? uint32() * 1000 : undefined
    if (flags & attributeFlags.EXTENDED) skipExtended()
    return {
      ...(sizeBytes !== undefined && { sizeBytes }),
      ...(permissions !== undefined && { permissions }),
      ...(modifiedAtMs !== undefined && { modifiedAtMs }),
    }
  }

  function skipExtended(): void {
    const count = uint32()
    if (count > limits.extensionsMax) throw new PacketError('a packet has too many extended attributes')
    for (let pair = 0; pair < count; pair++) {
      bytes()
      bytes()
    }
  }

  return { uint8, uint32, uint64, bytes, attributes, isAtEnd: () => position === packet.length }
}

/** A part of a packet: bytes as they are. */
export const encode = {
  uint32: (value: number): Buffer => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(value)
    return bytes
  },
  uint64: (value: number): Buffer => {
    const bytes = Buffer.alloc(8)
    bytes.writeBigUInt64BE(BigInt(value))
    return bytes
  },
  /** A string of the protocol: its length and its bytes. */
  bytes: (value: Uint8Array | string): Buffer => {
    const content = typeof value === 'string' ? Buffer.from(value) : value
    return Buffer.concat([encode.uint32(content.length), content])
  },
  attributes({ kind, sizeBytes, modifiedAtMs }: FileInfo): Buffer {
    const flags = attributeFlags.SIZE | attributeFlags.PERMISSIONS | attributeFlags.TIMES
    const modifiedAtS = encode.uint32(Math.min(Math.max(Math.floor(modifiedAtMs / 1000), 0), 0xffffffff))
    const permissions = encode.uint32(permissionsOf(kind))
    return Buffer.concat([encode.uint32(flags), encode.uint64(sizeBytes), permissions, modifiedAtS, modifiedAtS])
  },
  /** No attributes. */
  noAttributes: (): Buffer => encode.uint32(0),
} as const

const permissionsOf = (kind: FileInfo['kind']): number =>
  kind === 'folder' ? fileModes.folder | 0o755 : fileModes.file | 0o644

/** A packet with its length. */
export function encodePacket(type: number, ...parts: readonly Buffer[]): Buffer {
  const bytes = parts.reduce((sum, part) => sum + part.length, 1)
  return Buffer.concat([encode.uint32(bytes), Buffer.of(type), ...parts], bytes + 4)
}
