import { elementText, HEAD_CHARS } from '../element-text.ts'
import { limits } from '../limits.ts'
import type { MessageSource } from '../message-source.ts'
import { printable } from '../printable.ts'
import type { Structure, StructureList, StructureMap, StructurePart } from './structure.ts'

/** The characters after the letter in the tags of items, in their order. No field has room for more items. */
const ITEM_KEYS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The tag of the element that counts the items of a list, including the items that the field has no room for. */
const countTag = (letter: string): string => `N${letter}`

/** The parameters of a request. Names are texts, because those of items are composed. */
type Values = ReadonlyMap<string, string>

/**
 * Encodes parts as a field of private data: elements of a tag of two characters, a length of three digits and a value.
 * A value that does not fit is left out. A list holds as many whole items as fit, after an element with the number of
 * all items.
 *
 * @returns undefined if the request has no parameter of the parts
 */
export function encodeStructures(parts: readonly StructurePart[], source: MessageSource): string | undefined {
  const values: Values = source.request.parameters
  let text = ''
  for (const part of parts)
    if (part.kind === 'value' || source.parts.has(part))
      text += encodePart(part, source, values, limits.privateCharsMax - text.length)
  return text === '' ? undefined : text
}

function encodePart(part: StructurePart, source: MessageSource, values: Values, charsMax: number): string {
  switch (part.kind) {
    case 'structure':
      return encodeStructure(part, values, charsMax)
    case 'list':
      return encodeList(part, part.name, source, charsMax)
    case 'map':
      return encodeMap(part, values, charsMax)
    case 'value':
      return ifFits(elementOf(part.tag, part.valueOf(source.request)), charsMax)
  }
}

/** The elements that fit: a later element may fit although an earlier one does not. */
function encodeStructure({ rows }: Structure, values: Values, charsMax: number): string {
  let text = ''
  for (const { tag, name } of rows) {
    const value = values.get(name)
    if (value !== undefined) text += ifFits(elementOf(tag, value), charsMax - text.length)
  }
  return text
}

/** @returns an empty text without a value */
function elementOf(tag: string, value: string | undefined, cutAt?: number): string {
  // No field has room for a longer value, so the characters of such a value need no conversion.
  if (value === undefined || (cutAt === undefined && value.length > limits.privateCharsMax)) return ''
  const text = printable(value).slice(0, cutAt)
  return text === '' ? '' : elementText(tag, text)
}

const ifFits = (element: string, charsMax: number): string => (element.length <= charsMax ? element : '')

/** @param path the name of the list with the indexes of the items that contain it */
function encodeList(list: StructureList, path: string, source: MessageSource, charsMax: number): string {
  const indexes = source.lists.get(path) ?? []
  const count = elementText(countTag(list.letter), String(indexes.length))
  const items: string[] = []
  let room = charsMax - count.length
  for (const [position, index] of indexes.entries()) {
    const key = ITEM_KEYS[position]
    room -= HEAD_CHARS
    const item = key === undefined ? undefined : encodeItem(list, `${path}[${index}].`, source, room)
    if (item === undefined) break
    items.push(elementText(`${list.letter}${key}`, item))
    room -= item.length
  }
  // All items, none of which has a parameter of the list's rows.
  const isEmpty = items.length === indexes.length && items.every((item) => item.length === HEAD_CHARS)
  return isEmpty || count.length > charsMax ? '' : [count, ...items].join('')
}

/** @returns undefined if the rows do not fit; the inner list holds as many items as fit */
function encodeItem(
  { rows, inner }: StructureList,
  prefix: string,
  source: MessageSource,
  charsMax: number,
): string | undefined {
  const values: Values = source.request.parameters
  let text = ''
  for (const { tag, word, cutAt } of rows) text += elementOf(tag, values.get(`${prefix}${word}`), cutAt)
  if (text.length > charsMax) return undefined
  return inner ? `${text}${encodeList(inner, `${prefix}${inner.name}`, source, charsMax - text.length)}` : text
}

/** The entries as `key=value`, after their number. */
function encodeMap({ prefix, letter }: StructureMap, values: Values, charsMax: number): string {
  const entries = Array.from(values).filter(([name]) => name.startsWith(prefix))
  if (entries.length === 0) return ''
  let text = ifFits(elementText(countTag(letter), String(entries.length)), charsMax)
  for (const [position, [name, value]] of entries.slice(0, ITEM_KEYS.length).entries()) {
    const entry = `${name.slice(prefix.length, -1)}=${value}`
    text += ifFits(elementOf(`${letter}${ITEM_KEYS.charAt(position)}`, entry), charsMax - text.length)
  }
  return text
}
