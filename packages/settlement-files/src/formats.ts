import { camtMessages } from './camt/elements.ts'
import { createCamtReader } from './camt/read-camt.ts'
import { writeCamt } from './camt/write-camt.ts'
import { createCsvReader } from './csv/read-csv.ts'
import { writeCsv } from './csv/write-csv.ts'
import type { FileContent, FileFacts, FileFormat } from './file-entry.ts'
import { createFixedWidthReader } from './fixed-width/read-fixed-width.ts'
import { writeFixedWidth } from './fixed-width/write-fixed-width.ts'
import type { FormatReader } from './format-reader.ts'

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
  'camt.053': {
    detect: (start) => start.includes(camtMessages['camt.053'].namespace),
    createReader: () => createCamtReader('camt.053'),
    write: (facts, content) => writeCamt('camt.053', facts, content),
  },
  'camt.054': {
    detect: (start) => start.includes(camtMessages['camt.054'].namespace),
    createReader: () => createCamtReader('camt.054'),
    write: (facts, content) => writeCamt('camt.054', facts, content),
  },
  'fixed-width': {
    detect: (start) => start.startsWith('FH0000000101'),
    createReader: createFixedWidthReader,
    write: (facts, { rows }) => writeFixedWidth(facts, rows),
  },
}
