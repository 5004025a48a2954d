/**
 * The shape of the parameter tables: a section of the contract is a list of rows, a row is a name, a format and a need.
 * Everything else (decoding, checking, echoing, documents, OpenAPI) is an interpreter of these rows.
 */

/** JSON Schema of a parameter: every value of a form is a string. */
export interface StringSchema {
  readonly type: 'string'
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly enum?: readonly string[]
  readonly format?: string
}

/** The format of a value: for people, for machines and for error messages. */
export interface Format {
  readonly kind: string
  /** A description for people: `1 to 127 characters`. */
  readonly describe: string
  /** `result.parameterErrors[].message` of a wrong value: `must match ^…$`, `must be one of [A, B]`, or a sentence. */
  readonly message: string
  readonly schema: StringSchema
  accepts(value: string): boolean
  /** Checks the bytes of a secret, which never become a string. */
  acceptsBytes?(bytes: Uint8Array): boolean
  /**
   * Accepted values, each mapped to the text of its table, which `decodeForm` returns instead of the equal text of the
   * form. V8 compares the table's text by address, and joins it to texts of one byte a character; a text of the form
   * that was used as the name of a property makes every longer text take two.
   */
  readonly codes?: ReadonlyMap<string, string>
}

/**
 * R = required (inside a structure: as soon as any parameter of the structure is sent), C = conditional,
 * O = optional.
 */
export type Need = 'R' | 'C' | 'O'

/** Kinds of data that never become a string, see `Secret`. */
export type SecretKind = 'pan' | 'cvv' | 'account' | 'token' | 'pin' | 'password'

/**
 * Treatment of a card number (PAN) in a value. refuse: the parameter is invalid. mask: the digits become asterisks
 * before other code reads the value. accept: the value is not checked, because it is a number, a reference or written
 * by a machine and may look like a card number, or because its format is not free text.
 */
export type PanRule = 'refuse' | 'mask' | 'accept'

/** One parameter. `name` is a template: `[n]` is an index from 0, `[name]`, `[key]` or `[brand]` a map key. */
export interface Row<Name extends string = string> {
  readonly name: Name
  readonly format: Format
  /** Format of the key, if the name is that of a map. */
  readonly key?: Format
  readonly need: Need
  readonly note: string
  readonly secret?: SecretKind
  /** Whether answers echo the value, in the structure in which it was sent. */
  readonly echo: boolean
  readonly pan: PanRule
  /** An empty value is accepted; in other rows it means that the parameter is absent. */
  readonly acceptsEmpty?: true
  /** The wider format that channels with `compatibility: legacy` accept. */
  readonly legacy?: Format
  readonly deprecated?: true
  /** The value in answers if none was sent; only for parameters of list items. */
  readonly echoDefault?: string
}

/**
 * A set of parameters of the contract. A name may have a different format on each surface: `date.from` is a time stamp
 * in queries and a date in reports.
 */
export type Surface = 'payment' | 'query' | 'report'

/**
 * One table of parameters, usually a section of the contract's parameter document with the rows in its order. Further
 * sections contain parameters that the contract does not list.
 */
export interface Section<Name extends string = string> {
  readonly title: string
  readonly surface: Surface
  readonly rows: readonly Row<Name>[]
}
