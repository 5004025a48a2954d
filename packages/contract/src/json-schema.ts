import type { ResponseField } from './responses.ts'
import type { Row, StringSchema } from './row.ts'

/** The part of JSON Schema 2020-12 that our documents use. */
export interface JsonSchema extends Omit<StringSchema, 'type'> {
  readonly $ref?: string
  readonly type?: 'object' | 'array' | 'string' | 'integer'
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly allOf?: readonly JsonSchema[]
  readonly anyOf?: readonly JsonSchema[]
  readonly contentMediaType?: string
  readonly contentSchema?: JsonSchema
  readonly writeOnly?: boolean
  readonly deprecated?: boolean
}

/** The source of a schema: a row of a parameter table, or a field of an answer. */
export type SchemaSource = ResponseField & Pick<Row, 'secret' | 'deprecated'>

/** A schema of one value, described for people. */
const valueSchema = ({ format, note, secret, deprecated }: SchemaSource): JsonSchema => ({
  ...(format.schema satisfies StringSchema),
  description: note === '' ? format.describe : `${note.replace(/\.$/, '')}: ${format.describe}`,
  ...(secret && { writeOnly: true }),
  ...(deprecated && { deprecated }),
})

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
const INDEX = String.raw`\[(0|[1-9][0-9]{0,2})\]`
/** A pattern without its anchors, for use inside another. */
const unanchored = (source = '.*'): string => source.replace(/^\^/, '').replace(/\$$/, '')

/** The expression for names with indexes or keys, such as `cart.items[3].name`. */
const namePattern = ({ name, key }: SchemaSource): string => {
  const template = key === undefined ? name : name.slice(0, name.lastIndexOf('['))
  const tail = key === undefined ? '' : String.raw`\[${unanchored(key.schema.pattern)}\]`
  return `^${template.split('[n]').map(escaped).join(INDEX)}${tail}$`
}

/** The schema of a form, whose names are dotted: names with indexes or keys are pattern properties. */
export const formSchema = (rows: readonly SchemaSource[]): JsonSchema => {
  const isPlain = ({ name, key }: SchemaSource): boolean => key === undefined && !name.includes('[n]')
  const patterned = rows.filter((row) => !isPlain(row))
  return {
    type: 'object',
    properties: Object.fromEntries(rows.filter(isPlain).map((row) => [row.name, valueSchema(row)])),
    ...(patterned.length === 0
      ? {}
      : { patternProperties: Object.fromEntries(patterned.map((row) => [namePattern(row), valueSchema(row)])) }),
  }
}

/** A node of a tree of objects: a value, an object with its properties and keys, or an array with its items. */
interface Node {
  value?: JsonSchema
  items?: Node
  readonly properties: Map<string, Node>
  readonly patterns: Map<string, JsonSchema>
  readonly required: Set<string>
}

const emptyNode = (): Node => ({ properties: new Map(), patterns: new Map(), required: new Set() })

/** Splits `cart.items[n].name` into cart, items, [n], name. */
const partsOf = (name: string): readonly string[] => name.match(/\[n\]|[^.[\]]+/g) ?? []

const child = (node: Node, part: string): Node => {
  if (part === '[n]') return (node.items ??= emptyNode())
  const childNode = node.properties.get(part) ?? emptyNode()
  node.properties.set(part, childNode)
  return childNode
}

const addField = (root: Node, field: SchemaSource): void => {
  const parts = partsOf(field.name)
  const last = parts.at(-1) ?? ''
  const parent = parts.slice(0, -1).reduce(child, root)
  if (field.key !== undefined) parent.patterns.set(field.key.schema.pattern ?? '', valueSchema(field))
  else child(parent, last).value = valueSchema(field)
}

const schemaOf = (node: Node): JsonSchema => {
  if (node.value !== undefined) return node.value
  if (node.items !== undefined) return { type: 'array', items: schemaOf(node.items) }
  return {
    type: 'object',
    ...(node.properties.size === 0
      ? {}
      : { properties: Object.fromEntries([...node.properties].map(([name, property]) => [name, schemaOf(property)])) }),
    ...(node.patterns.size === 0 ? {} : { patternProperties: Object.fromEntries(node.patterns) }),
    ...(node.required.size === 0 ? {} : { required: [...node.required] }),
  }
}

/**
 * The schema of a JSON answer from fields with dotted names: strict for known fields, open for new ones ("clients
 * must tolerate new fields").
 *
 * @param required names of fields and structures that must be present in their parent
 */
export const answerSchema = (fields: readonly SchemaSource[], required: ReadonlySet<string>): JsonSchema => {
  const root = emptyNode()
  for (const field of fields) addField(root, field)
  for (const name of required) {
    const parts = partsOf(name)
    parts
      .slice(0, -1)
      .reduce(child, root)
      .required.add(parts.at(-1) ?? '')
  }
  return schemaOf(root)
}
