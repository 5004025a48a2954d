import type { FileFacts } from './file-entry.ts'
import type { Field } from './field.ts'
import type { Value, ValueKind } from './value-kinds.ts'

export type FactsField = Field<keyof FileFacts>

/** A field of a header for a fact about the file. */
export const factsField = (name: string, member: keyof FileFacts, kind: ValueKind, isRequired = true): FactsField => ({
  name,
  member,
  kind,
  isRequired,
})

/** Facts while a header is read. */
export type FactsValues = { [Key in keyof FileFacts]?: Value | undefined }

/** Whether the facts that each format requires are present; their kinds are those of the format's table. */
export const areFacts = (values: FactsValues): values is FactsValues & FileFacts =>
  values.fileId !== undefined && values.createdOn !== undefined && values.settledOn !== undefined
