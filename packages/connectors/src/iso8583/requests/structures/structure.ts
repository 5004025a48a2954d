import type { AcquirerRequest } from '../../../port.ts'
import type { RowName } from '../row-name.ts'

/** The last words of parameters that begin with a prefix: `street1` of `billing.street1`. */
export type WordAfter<Prefix extends string> = RowName extends infer Name
  ? Name extends `${Prefix}${infer Word}`
    ? Word
    : never
  : never

/** One parameter in private data. */
export interface StructureRow {
  /** Two characters: the letter of the structure, and the key of the row. */
  readonly tag: string
  /** The name of the row, composed once: texts that are composed for each request have to be hashed again. */
  readonly name: string
  /** The name after the prefix of the structure. */
  readonly word: string
  /** Only in lists: a longer value is cut to this number of characters. Other values are sent in full or left out. */
  readonly cutAt: number | undefined
}

/** Parameters with a common prefix. */
export interface Structure {
  readonly kind: 'structure'
  readonly rows: readonly StructureRow[]
}

/** A list of items with the same rows, and perhaps a list in each item. */
export interface StructureList {
  readonly kind: 'list'
  /** The name of the list after that of its parent: `cart.items`, or `legs` in a passenger. */
  readonly name: string
  /** The first character of the tags of items. */
  readonly letter: string
  readonly rows: readonly StructureRow[]
  readonly inner: StructureList | undefined
}

/** The entries of a map, each as `key=value`. */
export interface StructureMap {
  readonly kind: 'map'
  readonly prefix: string
  /** The first character of the tags of entries. */
  readonly letter: string
  readonly name: RowName
}

/** A value that the request contains outside of its parameters, too. */
export interface StructureValue {
  readonly kind: 'value'
  readonly tag: string
  readonly names: readonly RowName[]
  readonly valueOf: (request: AcquirerRequest) => string | undefined
}

/** A part of a field of private data. */
export type StructurePart = Structure | StructureList | StructureMap | StructureValue

/** A row as a table states it: its key, the last words of the parameter, and the length at which a text is cut. */
type RowOf<Prefix extends string> = readonly [key: string, word: WordAfter<Prefix>, cutAt?: number]

const rowsOf = <Prefix extends string>(
  prefix: Prefix,
  letter: string,
  rows: readonly RowOf<Prefix>[],
): readonly StructureRow[] =>
  rows.map(([key, word, cutAt]) => ({ tag: `${letter}${key}`, name: `${prefix}${word}`, word, cutAt }))

/** @param letter the first character of the tags */
export const structure = <Prefix extends string>(
  prefix: Prefix,
  letter: string,
  rows: readonly RowOf<Prefix>[],
): Structure => ({ kind: 'structure', rows: rowsOf(prefix, letter, rows) })

/**
 * @param name of the list, after that of its parent
 * @param letter the first character of the tags of rows and items
 */
export const list = <Prefix extends string>(
  name: string,
  prefix: Prefix,
  letter: string,
  rows: readonly RowOf<Prefix>[],
  inner?: StructureList,
): StructureList => ({ kind: 'list', name, letter, rows: rowsOf(prefix, letter, rows), inner })
