import { Type } from 'typebox'
import { optional, storedReader } from '../records/stored-json.ts'

const written = Type.Object({
  name: Type.String(),
  presentments: Type.Integer(),
  /** Of the bytes, hex. */
  sha256: Type.String(),
  writtenAtMs: Type.Integer(),
})

const stored = storedReader(
  Type.Object({
    /** The number of the file among those of the acquirer, from 1. */
    sequence: Type.Integer(),
    written: optional(written),
  }),
)

/** The clearing file of a batch; `written` is absent until it is in its place. */
export type ClearingFile = ReturnType<typeof stored>

/** @returns undefined: the batch has no file */
export const readClearingFileOf = ({ file }: { readonly file: string | null }): ClearingFile | undefined =>
  file === null ? undefined : stored(file)

export const writeClearingFileOf = (file: ClearingFile): string => JSON.stringify(file)
