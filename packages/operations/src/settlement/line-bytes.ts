import { limits } from '../limits.ts'

/** The bytes of lines that are written one after the other. */
interface LineBytes {
  /** Writes a line and its LF. */
  readonly add: (line: string) => void
  readonly bytes: () => Buffer
}

const LF = 0x0a

/**
 * Writes lines in UTF-8. Each line is copied once, at once: a text of all lines would be copied three times.
 *
 * @param count the number of lines for which there is room at first
 */
export function lineBytes(count: number): LineBytes {
  let buffer = Buffer.allocUnsafe(count * limits.recordLineBytes)
  let size = 0
  return {
    add(line) {
      // A code unit of UTF-16 takes at most three bytes.
      const sizeMax = size + 3 * line.length + 1
      if (sizeMax > buffer.length) {
        const larger = Buffer.allocUnsafe(2 * sizeMax)
        buffer.copy(larger, 0, 0, size)
        buffer = larger
      }
      size += buffer.write(line, size)
      buffer[size] = LF
      size += 1
    },
    bytes: () => buffer.subarray(0, size),
  }
}
