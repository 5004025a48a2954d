import { limits } from './limits.ts'

/** Fields of a form; a field that is there twice counts once, the first time. */
export type FormFields = ReadonlyMap<string, string>

/** Reads application/x-www-form-urlencoded: what it cannot read is not there. */
export function readForm(body: Uint8Array): FormFields {
  const fields = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(new TextDecoder().decode(body))) {
    if (fields.size === limits.formFieldsMax) break
    if (!fields.has(name)) fields.set(name, value)
  }
  return fields
}
