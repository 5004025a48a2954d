/**
 * The names of parameters: from a name in a request to its row. Plain names are found by one look-up;
 * names with indexes (`cart.items[3].name`) and map keys (`customParameters[note]`) by their template.
 */
import { maskCardNumbers } from './card-number.ts'
import { limits } from './limits.ts'
import { authentication } from './parameters/authentication.ts'
import { walletAliases } from './parameters/mobile-wallets.ts'
import type { IssuerSchemeData } from './parameters/three-d-secure.ts'
import type { Row, Surface } from './row.ts'
import { furtherSections, type RowName, sections } from './sections.ts'

/** The name of a row as it is sent: `cart.items[3].name` for `cart.items[n].name`, any key for a map's. */
type SentAs<Name extends string> = Name extends `${infer Head}[n]${infer Tail}`
  ? `${Head}[${number}]${SentAs<Tail>}`
  : Name extends `${infer Map}[${'name' | 'key' | 'brand'}]`
    ? `${Map}[${string}]`
    : Name

/** The canonical name of a parameter. `knownName` returns it for a text. */
export type ParameterName = SentAs<Exclude<RowName, 'Authorization'>> | IssuerSchemeData

/** A row whose parameters are sent in forms. */
export type ParameterRow = Row<Exclude<RowName, 'Authorization'>>

/** A name with the row of its parameter. */
interface ReadName {
  readonly name: string
  readonly row: ParameterRow
  /** First word of the name. */
  readonly structure: string
  /** Index of the row in `rowsOf` its surface. */
  readonly order: number
  /** The parts of the name: words, indexes as numbers, the key of a map unchanged. */
  readonly path: readonly (string | number)[]
}

/** A parameter by its canonical name. */
export interface Known extends ReadName {
  readonly name: ParameterName
  readonly wrong?: undefined
}

/** A parameter whose name has a wrong index or key. */
export interface Misnamed extends ReadName {
  /** For an error message. */
  readonly wrong: string
}

interface Names {
  readonly plain: ReadonlyMap<string, Known>
  /** By name with `[n]` for every index. */
  readonly indexed: ReadonlyMap<string, ReadName>
  /** By the name before the bracket. */
  readonly maps: ReadonlyMap<string, ReadName>
}

const index = /^(0|[1-9][0-9]*)$/

const brackets = /\[([^[\]]*)\]/g

const WRONG_INDEX = `must have indexes from 0 to ${limits.itemsMax - 1}`

const names: Readonly<Record<Surface, Names>> = {
  payment: namesOf('payment'),
  query: namesOf('query'),
  report: namesOf('report'),
}

/**
 * The parameter with a name on a surface; undefined if the name is unknown or has an invalid index or key.
 *
 * @param name as sent, percent-decoded; aliases of the wallets are accepted
 */
export function knownName(surface: Surface, name: string): Known | undefined {
  const known = readName(surface, name)
  return known?.wrong === undefined ? known : undefined
}

/** As `knownName`, with the fault of a wrong index or key. */
export function readName(surface: Surface, name: string): Known | Misnamed | undefined {
  const { plain, indexed, maps } = names[surface]
  const known = plain.get(name)
  if (known !== undefined || !name.includes('[')) return known

  const open = name.indexOf('[')
  const map = maps.get(name.slice(0, open))
  if (map !== undefined && name.endsWith(']')) return keyed(map, name, name.slice(open + 1, -1))

  const template = indexed.get(name.replaceAll(brackets, '[n]'))
  return template && numbered(template, name)
}

/** Error message for a card number in another parameter. */
export const CARD_NUMBER = 'must not hold a card number'

function keyed(map: ReadName, name: string, key: string): Known | Misnamed {
  const named = { ...map, name, path: [...map.path.slice(0, -1), key] }
  const masked = maskCardNumbers(name)
  if (masked !== name) return { ...named, name: masked, wrong: CARD_NUMBER }
  return hasKey(named) ? named : { ...named, wrong: `must have a key of ${map.row.key?.describe}` }
}

const hasKey = (named: ReadName): named is Known => named.row.key?.accepts(String(named.path.at(-1))) === true

function numbered(template: ReadName, name: string): Known | Misnamed {
  const indexes = Array.from(name.matchAll(brackets), ([, content = '']) => readIndex(content))
  let next = 0
  const path = template.path.map((part) => (part === 'n' ? (indexes[next++] ?? Number.NaN) : part))
  const named = { ...template, name, path }
  return hasIndexes(named) ? named : { ...named, name: maskCardNumbers(name), wrong: WRONG_INDEX }
}

/** NaN where the text is no index. */
const readIndex = (text: string): number =>
  index.test(text) && Number(text) < limits.itemsMax ? Number(text) : Number.NaN

const hasIndexes = (named: ReadName): named is Known => !named.path.some(Number.isNaN)

/** `cart.items[n].name` is cart, items, n, name. */
function partsOf(name: string): string[] {
  return name.replace(/\]$/, '').split(/\]\.|[.[]/)
}

/** The parameters of a surface in the order of the contract, then those that it does not list; no headers. */
export function rowsOf(surface: Surface): readonly ParameterRow[] {
  const all = [...sections, ...furtherSections]
  const rows = all.filter((each) => each.surface === surface).flatMap((each) => each.rows)
  return (surface === 'payment' ? rows : [...authentication.rows, ...rows]).filter(isParameter)
}

/** The contract lists a request header among the parameters. */
export function isParameter(row: Row<RowName>): row is ParameterRow {
  return row.format.kind !== 'header'
}

function namesOf(surface: Surface): Names {
  const known = rowsOf(surface).map((row, order): ReadName => {
    const path = partsOf(row.name)
    return { name: row.name, row, structure: path[0] ?? '', order, path }
  })
  const plain = known.filter(isPlain)
  return {
    plain: new Map([...plain.flatMap(aliasesOf), ...plain.map((each) => [each.name, each] as const)]),
    indexed: new Map(known.filter(isIndexed).map((each) => [each.name, each])),
    maps: new Map(known.filter(isMap).map((each) => [each.name.slice(0, each.name.indexOf('[')), each])),
  }
}

function aliasesOf(known: Known): (readonly [string, Known])[] {
  return Object.entries(walletAliases)
    .filter(([, wallet]) => known.name.startsWith(`${wallet}.`))
    .map(([alias, wallet]) => [alias + known.name.slice(wallet.length), known] as const)
}

function isMap({ row }: ReadName): boolean {
  return row.key !== undefined
}

function isIndexed({ row }: ReadName): boolean {
  return row.name.includes('[n]')
}

/** Whether parameters have exactly the name of the row. */
function isPlain(named: ReadName): named is Known {
  return !isMap(named) && !isIndexed(named)
}

/** Names, aliases included, of the parameters of a surface that are secret. */
export const secretNames = (surface: Surface): ReadonlyMap<string, Known> =>
  new Map([...names[surface].plain].filter(([, { row }]) => row.secret !== undefined))
