import { currencyIn } from '../currency-of.ts'
import { writeField } from '../field.ts'
import type { Value } from '../value-kinds.ts'
import type { CamtField } from './elements.ts'

/** Values of a group by member. */
export type GroupValues = { readonly [Member in string]?: Value | undefined }

/**
 * The elements of a group, without the element of the group itself. Fields are in the order of their table, so that
 * consecutive ones share the elements around them.
 */
export function writeGroup(fields: readonly CamtField[], values: GroupValues): string {
  let xml = ''
  let around: readonly string[] = []
  let attributes = ''
  for (const field of fields) {
    const text = writeField(field, values[field.member], currencyIn(values[field.currency ?? '']))
    if (text === '') continue
    const [path = '', attribute] = field.name.split('@')
    if (attribute !== undefined) {
      attributes = ` ${attribute}="${escapeXml(text)}"`
      continue
    }
    const parents = path.split('/')
    const name = parents.pop() ?? ''
    const shared = sharedLength(around, parents)
    xml += closing(around.slice(shared)) + opening(parents.slice(shared))
    xml += `<${name}${attributes}>${escapeXml(text)}</${name}>`
    around = parents
    attributes = ''
  }
  return xml + closing(around)
}

function sharedLength(one: readonly string[], other: readonly string[]): number {
  const end = one.findIndex((name, index) => name !== other[index])
  return end < 0 ? one.length : end
}

const opening = (names: readonly string[]): string => names.map((name) => `<${name}>`).join('')

const closing = (names: readonly string[]): string =>
  names
    .toReversed()
    .map((name) => `</${name}>`)
    .join('')

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escapeXml = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => escapes[character] ?? '')
