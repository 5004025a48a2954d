/**
 * Settlement files of acquirers and banks: readers and writers of their formats, streaming and without I/O. A format is
 * a table of columns, positions or elements, which a small interpreter reads and another one writes; every reader
 * produces the rows of the domain.
 */
export { type ClearingEntry, readClearingFile } from './clearing/read-clearing-file.ts'
export type { ClearingFacts, Presentment } from './clearing/records.ts'
export { writeClearingFile } from './clearing/write-clearing-file.ts'
export type { Chunks } from './decode-text.ts'
export { describeFormats } from './describe-formats.ts'
export { detectFormat } from './detect-format.ts'
export { type BankEntry, type Booking, type FileContent, type FileEntry } from './file-entry.ts'
export { type FileFacts, type FileFormat, type FileSummary, fileFormats } from './file-entry.ts'
export { type FaultReason, type FileFault, faultReasons } from './file-fault.ts'
export { limits } from './limits.ts'
export { readSettlementFile } from './read-settlement-file.ts'
export type { Total } from './totals.ts'
export { writeSettlementFile } from './write-settlement-file.ts'
