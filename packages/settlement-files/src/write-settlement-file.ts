import type { FileContent, FileFacts, FileFormat } from './file-entry.ts'
import { formats } from './formats.ts'
import { limits } from './limits.ts'

/**
 * Writes a settlement file, in chunks of some 64 KiB. A stream can be made of the generator.
 *
 * @throws RangeError, which names the field but not its value, if the format cannot express a value
 */
export function* writeSettlementFile(format: FileFormat, facts: FileFacts, content: FileContent): Generator<Buffer> {
  let chunk = ''
  for (const part of formats[format].write(facts, content)) {
    chunk += part
    if (chunk.length < limits.chunkCharsMin) continue
    yield Buffer.from(chunk)
    chunk = ''
  }
  yield Buffer.from(chunk)
}
