import { encodeAfter } from './codec.ts'
import { bytesOf, packedContents, plain } from './content.ts'
import { FieldError } from './field-error.ts'
import type { Fields, Message } from './field.ts'
import { limits } from './limits.ts'
import type { Spec } from './spec.ts'

/** A frame that was received: a message, or a control frame of a session, which only keeps the connection alive. */
export interface Frame {
  readonly kind: 'message' | 'control'
  readonly bytes: Uint8Array
}

/** The part of a header that states a length. */
interface Header {
  /** Bytes before the message, or before the routing header. */
  readonly bytes: number
  /** Bytes between the header and the message, which the length includes. */
  readonly routingBytes: number
  readonly write: (target: Uint8Array, length: number) => void
  /** @returns the length; NaN if the header is invalid */
  readonly read: (source: Uint8Array) => number
  readonly isControl: (source: Uint8Array) => boolean
}

const digits = (content: typeof plain, bytes: number): Header => ({
  bytes,
  routingBytes: 0,
  write: (target, length) => content.write(target, 0, String(length).padStart(4, '0')),
  read: (source) => {
    const characters = new Uint8Array(4)
    content.read(source, 0, characters, 4)
    const text = String.fromCharCode(...characters)
    return /^[0-9]{4}$/.test(text) ? Number(text) : Number.NaN
  },
  isControl: () => false,
})

const bigEndian: Header = {
  bytes: 2,
  routingBytes: 0,
  write(target, length) {
    target[0] = length >> 8
    target[1] = length & 255
  },
  read: (source) => 256 * (source[0] ?? 0) + (source[1] ?? 0),
  isControl: () => false,
}

/** `60`, then the addresses of destination and source. */
const tpdu = Uint8Array.of(0x60, 0, 0, 0, 0)

/**
 * The headers of frames, by the names of settings. The stated length does not include the header itself. binary2: two
 * bytes, the higher first. bcd2: four digits in two bytes. ascii4: four digits. vmlh: as binary2, then two reserved
 * bytes; 2 in the high half of the last one marks a control frame. tpdu: as binary2, then a routing header of five
 * bytes, which the length includes.
 */
const headers = {
  binary2: bigEndian,
  bcd2: digits(packedContents.fixed.n, 2),
  ascii4: digits(plain, 4),
  vmlh: { ...bigEndian, bytes: 4, isControl: (source) => (source[3] ?? 0) >> 4 === 2 },
  tpdu: { ...bigEndian, routingBytes: tpdu.length },
} satisfies Readonly<Record<string, Header>>

export type HeaderName = keyof typeof headers

/** The names of the headers. */
export const headerNames = Object.keys(headers)

/** Whether a text is the name of a header. */
export const isHeaderName = (text: string): text is HeaderName => Object.hasOwn(headers, text)

/**
 * Puts the header of a frame before an encoded message.
 *
 * @returns bytes that may contain secrets: the caller erases them after use
 */
export function encodeFrame(headerName: HeaderName, message: Uint8Array): Uint8Array {
  const header: Header = headers[headerName]
  const start = header.bytes + header.routingBytes
  const frame = bytesOf(start + message.length)
  writeHeader(header, frame)
  frame.set(message, start)
  return frame
}

/**
 * Encodes a message in a frame: as `encodeFrame` of `encodeMessage`, without a copy of the message.
 *
 * @returns bytes that may contain secrets: the caller erases them after use
 * @throws FieldError names the field of a wrong value
 */
export function encodeInFrame<F extends Fields>(
  headerName: HeaderName,
  spec: Spec<F>,
  message: Message<F>,
): Uint8Array {
  const header: Header = headers[headerName]
  const frame = encodeAfter(header.bytes + header.routingBytes, spec, message)
  try {
    writeHeader(header, frame)
    return frame
  } catch (error) {
    frame.fill(0)
    throw error
  }
}

/** Writes the header of a frame with the rest of its bytes. @throws FieldError if the frame is too long */
function writeHeader(header: Header, frame: Uint8Array): void {
  const length = frame.length - header.bytes
  if (length > limits.frameBytesMax) throw new FieldError(`must be at most ${limits.frameBytesMax} bytes`)
  header.write(frame, length)
  if (header.routingBytes > 0) frame.set(tpdu, header.bytes)
}

/** Reads frames from the parts in which a connection delivers them. */
export interface FrameReader {
  /**
   * @param chunk the next received bytes; they are copied, and erased at the end of the iteration
   * @returns the frames that are complete, one after the other: those before an invalid header, too
   * @throws FieldError if a header is invalid; the connection must then be closed, since no later frame can be found
   */
  readonly push: (chunk: Uint8Array) => Iterable<Frame>
  /** Whether a part of a frame was received. */
  readonly isWithinFrame: () => boolean
  /** Erases a part of a frame. */
  readonly wipe: () => void
}

/** Creates a reader for one connection. It holds at most one incomplete frame. */
export function createFrameReader(headerName: HeaderName): FrameReader {
  const header: Header = headers[headerName]
  const buffer = new Uint8Array(header.bytes + limits.frameBytesMax)
  /** The number of bytes in the buffer, and the number at which the header or the frame is complete. */
  let filled = 0
  let needed = header.bytes

  function readHeader(): void {
    const length = header.read(buffer)
    if (Number.isNaN(length)) throw new FieldError('the header must be digits')
    if (length > limits.frameBytesMax) throw new FieldError(`must be at most ${limits.frameBytesMax} bytes`)
    if (length < header.routingBytes) throw new FieldError('must have a routing header')
    needed = header.bytes + length
  }

  function takeFrame(): Frame {
    const start = header.bytes + header.routingBytes
    const bytes = bytesOf(needed - start)
    bytes.set(buffer.subarray(start, needed))
    const kind = bytes.length === 0 || header.isControl(buffer) ? 'control' : 'message'
    buffer.fill(0, 0, filled)
    filled = 0
    needed = header.bytes
    return { kind, bytes }
  }

  return {
    *push(chunk) {
      let offset = 0
      try {
        while (offset < chunk.length) {
          const part = chunk.subarray(offset, offset + needed - filled)
          buffer.set(part, filled)
          filled += part.length
          offset += part.length
          if (filled < needed) return
          if (filled === header.bytes) readHeader()
          if (filled === needed) yield takeFrame()
        }
      } finally {
        chunk.fill(0)
      }
    },
    isWithinFrame: () => filled > 0,
    wipe() {
      buffer.fill(0)
      filled = 0
      needed = header.bytes
    },
  }
}
