import type { Writable } from 'node:stream'
import { bytesOf } from '../content.ts'

/**
 * Writes frames to a connection. The frames of one turn of the event loop are sent together, which takes one call of
 * the operating system.
 *
 * @returns writes a frame, and erases it once it is sent or cannot be sent
 */
export function createFrameWriter(connection: Writable): (frame: Uint8Array) => void {
  let frames: Uint8Array[] = []

  function flush(): void {
    const [first] = frames
    const joined = first !== undefined && frames.length === 1 ? first : join(frames)
    frames = []
    if (connection.writable) connection.write(joined, () => void joined.fill(0))
    else joined.fill(0)
  }

  return (frame) => {
    if (frames.length === 0) process.nextTick(flush)
    frames.push(frame)
  }
}

/** Joins frames into one, and erases them. */
function join(frames: readonly Uint8Array[]): Uint8Array {
  let length = 0
  for (const frame of frames) length += frame.length
  const joined = bytesOf(length)
  let offset = 0
  for (const frame of frames) {
    joined.set(frame, offset)
    offset += frame.length
    frame.fill(0)
  }
  return joined
}
