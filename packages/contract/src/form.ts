import type { KnownParameter, ParameterName } from './names.ts'
import type { Surface } from './row.ts'
import type { Secret } from './secret.ts'

/** One entry of `result.parameterErrors`. The value of a secret is masked. */
export interface ParameterError {
  readonly name: string
  readonly value: string
  readonly message: string
}

/** Replaces the value of a secret in errors. */
export const MASK = '***'

/** The parameters of a request, sent or stored. Names are canonical: percent-decoded, aliases resolved. */
export interface RequestParameters {
  /** The parameters of `values` and `secrets`, each once. */
  readonly sent: readonly KnownParameter[]
  /** Known parameters by name: never a secret; empty only if the row allows it. */
  readonly values: ReadonlyMap<ParameterName, string>
  /** Known parameters whose values never become strings. */
  readonly secrets: ReadonlyMap<ParameterName, Secret>
}

/** A decoded request. The caller of `decodeForm` wipes it. */
export interface Form extends RequestParameters {
  readonly surface: Surface
  /** Names of which a later value replaced an earlier one: an error on strict channels. */
  readonly repeated: readonly ParameterName[]
  /** Decoding problems, which `checkForm` includes in its errors. */
  readonly problems: readonly ParameterError[]
  /** The form has too many parameters: none is decoded, and `problems` has the error. */
  readonly isTooLarge: boolean
  /** Unknown names of queries and reports, shortened and masked for errors; unknown names of payments are ignored. */
  readonly unknown: readonly string[]
  /** `authentication.entityId`: replaces an absent `entityId` on channels with `compatibility: legacy`. */
  readonly loginEntityId: string | undefined
  /** Erases the secrets. */
  wipe(): void
}

/** Whether the request contains the parameter, secret or not. */
export const isSent = (
  { values, secrets }: Pick<RequestParameters, 'values' | 'secrets'>,
  name: ParameterName,
): boolean => values.has(name) || secrets.has(name)

/** Whether a boolean parameter is true, in any spelling of `legacyBoolean`. */
export function isTrue({ values }: Pick<RequestParameters, 'values'>, name: ParameterName): boolean {
  const value = values.get(name)
  return value === 'true' || value === '1' || value?.toLowerCase() === 'true'
}

/** A form without these parameters. Its `wipe` still erases all secrets of the original. */
export function withoutParameters(form: Form, names: ReadonlySet<string>): Form {
  const isKept = (name: string): boolean => !names.has(name)
  return {
    ...form,
    sent: form.sent.filter(({ name }) => isKept(name)),
    values: new Map([...form.values].filter(([name]) => isKept(name))),
    secrets: new Map([...form.secrets].filter(([name]) => isKept(name))),
  }
}
