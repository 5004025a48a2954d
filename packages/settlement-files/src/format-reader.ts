import type { FileEntry, FileSummary } from './file-entry.ts'
import type { Place } from './file-fault.ts'

/** Reads the text of one file. Both functions throw a FaultError. */
export interface FormatReader {
  /** @returns the rows and bank entries that are complete with this piece of the text */
  read(piece: string): readonly FileEntry[]
  /** Called at the end of the file. */
  end(): FileSummary
  /** The place of the next character. */
  place(): Place
}
