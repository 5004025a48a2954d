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

/** A part of an answer: a value, an object with its properties and map entries, or an array with its items. */
interface AnswerPart {
  value?: JsonSchema
  items?: AnswerPart
  readonly properties: Map<string, AnswerPart>
  readonly patterns: Map<string, JsonSchema>
  readonly required: Set<string>
}

const emptyPart = (): AnswerPart => ({ properties: new Map(), patterns: new Map(), required: new Set() })

/** Splits `cart.items[n].name` into cart, items, [n], name. */
const wordsOf = (name: string): readonly string[] => name.match(/\[n\]|[^.[\]]+/g) ?? []

/** The part with a name, or `[n]` for the items of an array; added if it is missing. */
const childOf = (parent: AnswerPart, name: string): AnswerPart => {
  if (name === '[n]') return (parent.items ??= emptyPart())
  const child = parent.properties.get(name) ?? emptyPart()
  parent.properties.set(name, child)
  return child
}

const addField = (answer: AnswerPart, field: SchemaSource): void => {
  const words = wordsOf(field.name)
  const last = words.at(-1) ?? ''
  const parent = words.slice(0, -1).reduce(childOf, answer)
  if (field.key !== undefined) parent.patterns.set(field.key.schema.pattern ?? '', valueSchema(field))
  else childOf(parent, last).value = valueSchema(field)
}

const schemaOf = ({ value, items, properties, patterns, required }: AnswerPart): JsonSchema => {
  if (value !== undefined) return value
  if (items !== undefined) return { type: 'array', items: schemaOf(items) }
  return {
    type: 'object',
    ...(properties.size === 0
      ? {}
      : { properties: Object.fromEntries([...properties].map(([name, property]) => [name, schemaOf(property)])) }),
    ...(patterns.size === 0 ? {} : { patternProperties: Object.fromEntries(patterns) }),
    ...(required.size === 0 ? {} : { required: [...required] }),
  }
}

/**
 * The schema of a JSON answer from fields with dotted names: strict for known fields, open for new ones ("clients
 * must tolerate new fields").
 *
 * @param required names of fields and structures that must be present in their parent
 */
export const answerSchema = (fields: readonly SchemaSource[], required: ReadonlySet<string>): JsonSchema => {
  const answer = emptyPart()
  for (const field of fields) addField(answer, field)
  for (const name of required) {
    const words = wordsOf(name)
    words
      .slice(0, -1)
      .reduce(childOf, answer)
      .required.add(words.at(-1) ?? '')
  }
  return schemaOf(answer)
}
