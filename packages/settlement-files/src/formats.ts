import type { SettlementRow } from '@tollgate/domain'
import { createCsvReader } from './csv/read-csv.ts'
import { writeCsv } from './csv/write-csv.ts'
import type { BankEntry, FileFacts, FileFormat } from './file-entry.ts'
import { createFixedWidthReader } from './fixed-width/read-fixed-width.ts'
import { writeFixedWidth } from './fixed-width/write-fixed-width.ts'
import type { FormatReader } from './format-reader.ts'

/** The content of a file besides its facts. */
export interface FileContent {
  readonly rows: readonly SettlementRow[]
  /** Bookings on a bank account that are no rows, such as payouts; camt only. */
  readonly bankEntries?: readonly BankEntry[]
}

/** A format of settlement files. */
export interface SettlementFormat {
  /** Whether the first characters of a file are those of the format. */
  readonly detect: (start: string) => boolean
  readonly createReader: () => FormatReader
  readonly write: (facts: FileFacts, content: FileContent) => Iterable<string>
}

/** The formats. */
export const formats: Readonly<Record<FileFormat, SettlementFormat>> = {
  'tollgate-csv': {
    detect: (start) => start.startsWith('TOLLGATE;'),
    createReader: createCsvReader,
    write: (facts, { rows }) => writeCsv(facts, rows),
  },
  'fixed-width': {
    detect: (start) => start.startsWith('FH0000000101'),
    createReader: createFixedWidthReader,
    write: (facts, { rows }) => writeFixedWidth(facts, rows),
  },
}
