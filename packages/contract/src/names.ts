/**
 * Maps the names of parameters in requests to rows. A plain name needs one look-up; names with indexes
 * (`cart.items[3].name`) and map keys (`customParameters[note]`) are found by their template.
 */
import { maskCardNumbers } from './card-number.ts'
import { limits } from './limits.ts'
import { authentication } from './parameters/authentication.ts'
import { walletAliases } from './parameters/mobile-wallets.ts'
import type { IssuerSchemeData } from './parameters/three-d-secure.ts'
import type { Row, Surface } from './row.ts'
import { furtherSections, type RowName, sections } from './sections.ts'

/**
 * The names under which a row is sent: `cart.items[3].name` for `cart.items[n].name`; for a map, its name with any key.
 */
type SentAs<Name extends string> = Name extends `${infer Head}[n]${infer Tail}`
  ? `${Head}[${number}]${SentAs<Tail>}`
  : Name extends `${infer Map}[${'name' | 'key' | 'brand'}]`
    ? `${Map}[${string}]`
    : Name

/** The canonical name of a parameter, as `findParameter` returns it. */
export type ParameterName = SentAs<Exclude<RowName, 'Authorization'>> | IssuerSchemeData

/** A row whose parameters are sent in forms. */
export type ParameterRow = Row<Exclude<RowName, 'Authorization'>>

/** A name with the row of its parameter. */
interface ParsedName {
  readonly name: string
  readonly row: ParameterRow
  /** First word of the name. */
  readonly structure: string
  /** Index of the row in the result of `rowsOf` for its surface. */
  readonly order: number
  /** The parts of the name: words, indexes as numbers, the key of a map unchanged. */
  readonly path: readonly (string | number)[]
}

/** A parameter with its canonical name. */
export interface KnownParameter extends ParsedName {
  readonly name: ParameterName
  readonly fault?: undefined
}

/** A parameter whose name has an invalid index or key; a key that contains a card number is invalid. */
export interface MisnamedParameter extends ParsedName {
  /** The error message. */
  readonly fault: string
}

interface Names {
  readonly plain: ReadonlyMap<string, KnownParameter>
  /** By name with `[n]` for every index. */
  readonly indexed: ReadonlyMap<string, ParsedName>
  /** By the name before the bracket. */
  readonly maps: ReadonlyMap<string, ParsedName>
}

const indexPattern = /^(0|[1-9][0-9]*)$/

const bracketsPattern = /\[([^[\]]*)\]/g

const WRONG_INDEX = `must have indexes from 0 to ${limits.itemsMax - 1}`

const names: Readonly<Record<Surface, Names>> = {
  payment: namesOf('payment'),
  query: namesOf('query'),
  report: namesOf('report'),
}

/**
 * Finds the parameter of a surface by its name; undefined if the name is unknown or has an invalid index or key.
 *
 * @param name as sent, percent-decoded; aliases of the wallets are accepted
 */
export function findParameter(surface: Surface, name: string): KnownParameter | undefined {
  const parameter = parseName(surface, name)
  return parameter?.fault === undefined ? parameter : undefined
}

/** As `findParameter`, but returns a name with an invalid index or key together with its error message. */
export function parseName(surface: Surface, name: string): KnownParameter | MisnamedParameter | undefined {
  const { plain, indexed, maps } = names[surface]
  const parameter = plain.get(name)
  if (parameter !== undefined || !name.includes('[')) return parameter

  const open = name.indexOf('[')
  const map = maps.get(name.slice(0, open))
  if (map !== undefined && name.endsWith(']')) return parseMapName(map, name, name.slice(open + 1, -1))

  const template = indexed.get(name.replaceAll(bracketsPattern, '[n]'))
  return template && parseIndexedName(template, name)
}

/** The error message for a card number in a parameter for other data. */
export const CARD_NUMBER_FORBIDDEN = 'must not hold a card number'

function parseMapName(map: ParsedName, name: string, key: string): KnownParameter | MisnamedParameter {
  const named = { ...map, name, path: [...map.path.slice(0, -1), key] }
  const masked = maskCardNumbers(name)
  if (masked !== name) return { ...named, name: masked, fault: CARD_NUMBER_FORBIDDEN }
  return hasValidKey(named) ? named : { ...named, fault: `must have a key of ${map.row.key?.describe}` }
}

const hasValidKey = (named: ParsedName): named is KnownParameter =>
  named.row.key?.accepts(String(named.path.at(-1))) === true

function parseIndexedName(template: ParsedName, name: string): KnownParameter | MisnamedParameter {
  const indexes = Array.from(name.matchAll(bracketsPattern), ([, content = '']) => readIndex(content))
  let next = 0
  const path = template.path.map((part) => (part === 'n' ? (indexes[next++] ?? Number.NaN) : part))
  const named = { ...template, name, path }
  return hasValidIndexes(named) ? named : { ...named, name: maskCardNumbers(name), fault: WRONG_INDEX }
}

/** The index; NaN for any other text. */
const readIndex = (text: string): number =>
  indexPattern.test(text) && Number(text) < limits.itemsMax ? Number(text) : Number.NaN

const hasValidIndexes = (named: ParsedName): named is KnownParameter => !named.path.some(Number.isNaN)

/** Splits `cart.items[n].name` into cart, items, n, name. */
function partsOf(name: string): string[] {
  return name.replace(/\]$/, '').split(/\]\.|[.[]/)
}

/** The structure of a parameter: the first word of its name. */
export function structureOf(name: string): string {
  return partsOf(name)[0] ?? ''
}

/**
 * The rows of a surface in the order of the contract, then the rows that the contract does not list; without headers.
 */
export function rowsOf(surface: Surface): readonly ParameterRow[] {
  const all = [...sections, ...furtherSections]
  const rows = all.filter((section) => section.surface === surface).flatMap((section) => section.rows)
  return (surface === 'payment' ? rows : [...authentication.rows, ...rows]).filter(isParameter)
}

/** Whether a row is a parameter: the contract also lists a request header. */
export function isParameter(row: Row<RowName>): row is ParameterRow {
  return row.format.kind !== 'header'
}

function namesOf(surface: Surface): Names {
  const parsed = rowsOf(surface).map((row, order): ParsedName => {
    const path = partsOf(row.name)
    return { name: row.name, row, structure: structureOf(row.name), order, path }
  })
  const plain = parsed.filter(isPlain)
  return {
    plain: new Map([...plain.flatMap(aliasesOf), ...plain.map((parameter) => [parameter.name, parameter] as const)]),
    indexed: new Map(parsed.filter(isIndexed).map((template) => [template.name, template])),
    maps: new Map(parsed.filter(isMap).map((map) => [map.name.slice(0, map.name.indexOf('[')), map])),
  }
}

function aliasesOf(parameter: KnownParameter): (readonly [string, KnownParameter])[] {
  return Object.entries(walletAliases)
    .filter(([, wallet]) => parameter.name.startsWith(`${wallet}.`))
    .map(([alias, wallet]) => [alias + parameter.name.slice(wallet.length), parameter] as const)
}

function isMap({ row }: ParsedName): boolean {
  return row.key !== undefined
}

function isIndexed({ row }: ParsedName): boolean {
  return row.name.includes('[n]')
}

/** Whether parameters have exactly the name of the row. */
function isPlain(named: ParsedName): named is KnownParameter {
  return !isMap(named) && !isIndexed(named)
}

/** The secret parameters of a surface by name, including aliases. */
export const secretNames = (surface: Surface): ReadonlyMap<string, KnownParameter> =>
  new Map([...names[surface].plain].filter(([, { row }]) => row.secret !== undefined))
