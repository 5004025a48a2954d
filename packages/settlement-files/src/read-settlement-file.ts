import { type Chunks, decodeText } from './decode-text.ts'
import type { FileEntry, FileFormat } from './file-entry.ts'
import { FaultError } from './file-fault.ts'
import { formats } from './formats.ts'

/**
 * Reads a settlement file from its chunks, in memory that does not depend on its size.
 *
 * Yields the rows and bank entries in the order of the file, in lists, because a promise for each row takes time. The
 * last entry is a summary if the file is complete and its totals are right, otherwise the first fault. Rows before a
 * fault must not be used, because a file is accepted as a whole. Errors of `chunks` are thrown; faults of the file are
 * not.
 *
 * @param chunks the bytes of the file, in parts of any length
 */
export async function* readSettlementFile(format: FileFormat, chunks: Chunks): AsyncGenerator<readonly FileEntry[]> {
  const reader = formats[format].createReader()
  try {
    for await (const decoded of decodeText(chunks)) {
      if ('reason' in decoded) throw new FaultError(decoded.reason, reader.place())
      yield reader.read(decoded.piece)
    }
    yield [reader.end()]
  } catch (error) {
    if (!(error instanceof FaultError)) throw error
    yield [error.fault]
  }
}
