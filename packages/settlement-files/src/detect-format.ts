import { type FileFormat, fileFormats } from './file-entry.ts'
import { formats } from './formats.ts'
import { limits } from './limits.ts'

/**
 * Detects the format of a settlement file by its start. The rest of the file may still be invalid.
 *
 * @param firstBytes the first 4,096 bytes, or all bytes of a shorter file
 * @returns undefined if it is none of the formats
 */
export function detectFormat(firstBytes: Uint8Array): FileFormat | undefined {
  const start = new TextDecoder().decode(firstBytes.subarray(0, limits.detectionBytes))
  return fileFormats.find((format) => formats[format].detect(start))
}
