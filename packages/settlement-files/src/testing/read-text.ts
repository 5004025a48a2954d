import type { FileEntry, FileFormat } from '../file-entry.ts'
import type { FileFault } from '../file-fault.ts'
import { readSettlementFile } from '../read-settlement-file.ts'

/** Reads a whole file in chunks of a length; all entries. */
export async function readBytes(format: FileFormat, bytes: Uint8Array, chunkBytes = 1_000): Promise<FileEntry[]> {
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, index) =>
    bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes),
  )
  const entries: FileEntry[] = []
  for await (const part of readSettlementFile(format, chunks)) entries.push(...part)
  return entries
}

/** Reads a text; all entries. */
export const readText = (format: FileFormat, text: string): Promise<FileEntry[]> => readBytes(format, Buffer.from(text))

/** Reads a file that must be rejected; its place, field and reason in one line, such as `3:17 Amount AMOUNT`. */
export async function readFault(format: FileFormat, file: string | Uint8Array): Promise<string> {
  const entries = await readBytes(format, typeof file === 'string' ? Buffer.from(file) : file)
  const fault = entries.at(-1)
  return fault?.kind === 'fault' ? describeFault(fault) : `accepted: ${fault?.kind}`
}

const describeFault = ({ line, column, field, reason }: FileFault): string =>
  [`${line}:${column}`, field, reason].filter((part) => part !== undefined).join(' ')
