/**
 * The names of parameters: from what a client sent to the row that describes it. Plain names are found by one look-up;
 * names with indexes (`cart.items[3].name`) and map keys (`customParameters[note]`) by their template.
 */
import { maskCardNumbers } from './card-number.ts'
import { limits } from './limits.ts'
import { authentication } from './parameters/authentication.ts'
import { walletAliases } from './parameters/mobile-wallets.ts'
import type { Row, Surface } from './row.ts'
import { furtherSections, sections } from './sections.ts'

/** A parameter by its canonical name. */
export interface Known {
  readonly name: string
  readonly row: Row
  /** First word of the name. */
  readonly structure: string
  /** Place of the row among `rowsOf` its surface. */
  readonly order: number
  /** The name taken apart: words, indexes as numbers, the key of a map as it is. */
  readonly path: readonly (string | number)[]
  /** What is wrong with the index or the key, for an error message. */
  readonly wrong?: string
}

interface Names {
  readonly plain: ReadonlyMap<string, Known>
  /** By name with `[n]` for every index. */
  readonly indexed: ReadonlyMap<string, Known>
  /** By what stands before the bracket. */
  readonly maps: ReadonlyMap<string, Known>
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
 * The parameter that a name means on a surface, or undefined where the name is unknown.
 *
 * @param name as sent, percent-decoded; aliases of the wallets are welcome
 */
export function knownName(surface: Surface, name: string): Known | undefined {
  const { plain, indexed, maps } = names[surface]
  const known = plain.get(name)
  if (known !== undefined || !name.includes('[')) return known

  const open = name.indexOf('[')
  const map = maps.get(name.slice(0, open))
  if (map !== undefined && name.endsWith(']')) return keyed(map, name, name.slice(open + 1, -1))

  const template = indexed.get(name.replaceAll(brackets, '[n]'))
  return template && numbered(template, name)
}

/** Error message for a card number where none belongs. */
export const CARD_NUMBER = 'must not hold a card number'

function keyed(map: Known, name: string, key: string): Known {
  const path = [...map.path.slice(0, -1), key]
  const masked = maskCardNumbers(name)
  if (masked !== name) return { ...map, name: masked, path, wrong: CARD_NUMBER }
  if (map.row.key?.accepts(key) === true) return { ...map, name, path }
  return { ...map, name, path, wrong: `must have a key of ${map.row.key?.describe}` }
}

function numbered(template: Known, name: string): Known {
  const indexes = Array.from(name.matchAll(brackets), ([, content = '']) => content)
  let next = 0
  const path = template.path.map((part) => (part === 'n' ? Number(indexes[next++]) : part))
  const fits = indexes.every((each) => index.test(each) && Number(each) < limits.itemsMax)
  return fits ? { ...template, name, path } : { ...template, name: maskCardNumbers(name), path, wrong: WRONG_INDEX }
}

/** `cart.items[n].name` is cart, items, n, name. */
function partsOf(name: string): string[] {
  return name.replace(/\]$/, '').split(/\]\.|[.[]/)
}

/** The parameters of a surface in the order of the contract, then those that it does not list; no headers. */
export function rowsOf(surface: Surface): readonly Row[] {
  const all = [...sections, ...furtherSections]
  const rows = all.filter((each) => each.surface === surface).flatMap((each) => each.rows)
  return (surface === 'payment' ? rows : [...authentication.rows, ...rows]).filter(
    ({ format }) => format.kind !== 'header',
  )
}

function namesOf(surface: Surface): Names {
  const known = rowsOf(surface).map((row, order): Known => {
    const path = partsOf(row.name)
    return { name: row.name, row, structure: path[0] ?? '', order, path }
  })
  const plain = known.filter((each) => !isMap(each) && !isIndexed(each))
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

function isMap({ row }: Known): boolean {
  return row.key !== undefined
}

function isIndexed({ row }: Known): boolean {
  return row.name.includes('[n]')
}

/** Names, aliases included, of the parameters of a surface that are secret. */
export const secretNames = (surface: Surface): ReadonlyMap<string, Known> =>
  new Map([...names[surface].plain].filter(([, { row }]) => row.secret !== undefined))
