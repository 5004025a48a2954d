import type { JsonSchema } from './json-schema.ts'
import { limits } from './limits.ts'
import type { OpenApi, OperationObject, ParameterObject, Reference, ResponseObject } from './openapi-types.ts'

/** A parameter or field: its schema, and whether it is required. */
interface Field {
  readonly schema: JsonSchema
  readonly required: boolean
}

type Fields = ReadonlyMap<string, Field>

const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

/** The fields of a schema by path; name patterns are between slashes. */
const fieldsOf = (document: OpenApi, schema: JsonSchema, prefix = '', depth = 0): Fields => {
  if (depth > limits.schemaDepthMax)
    throw new Error(`schemas nest more than ${limits.schemaDepthMax} levels at ${prefix}`)
  if (schema.$ref !== undefined) {
    const target = document.components.schemas[nameOf(schema.$ref)] ?? {}
    return fieldsOf(document, target, prefix, depth + 1)
  }
  const fields = new Map<string, Field>()
  const addField = (name: string, fieldSchema: JsonSchema) => {
    const path = prefix + name
    fields.set(path, { schema: fieldSchema, required: schema.required?.includes(name) === true })
    for (const [nestedPath, field] of fieldsOf(document, fieldSchema, `${path}.`, depth + 1))
      fields.set(nestedPath, field)
  }
  for (const [name, property] of Object.entries(schema.properties ?? {})) addField(name, property)
  for (const [pattern, property] of Object.entries(schema.patternProperties ?? {})) addField(`/${pattern}/`, property)
  if (schema.items !== undefined) addField('[n]', schema.items)
  for (const part of schema.allOf ?? []) {
    for (const [path, field] of fieldsOf(document, part, prefix, depth + 1)) {
      // A field is required if one of the parts requires it.
      fields.set(path, { schema: field.schema, required: field.required || fields.get(path)?.required === true })
    }
  }
  // A part may require a field that another part defines.
  for (const name of (schema.allOf ?? []).flatMap(({ required = [] }) => required)) {
    const field = fields.get(prefix + name)
    if (field) fields.set(prefix + name, { ...field, required: true })
  }
  return fields
}

/** The changes of a schema that refuse values which it accepted before. */
const narrowings = (name: string, before: JsonSchema, after: JsonSchema): readonly string[] => {
  const removed = after.enum === undefined ? [] : (before.enum ?? []).filter((value) => !after.enum?.includes(value))
  const isNarrower =
    before.type !== after.type ||
    (before.enum === undefined && after.enum !== undefined) ||
    (after.minLength ?? 0) > (before.minLength ?? 0) ||
    (after.maxLength ?? Infinity) < (before.maxLength ?? Infinity) ||
    (after.pattern !== undefined && after.pattern !== before.pattern) ||
    (after.format !== undefined && after.format !== before.format)
  return [
    ...removed.map((value) => `removed value ${value} of ${name}`),
    ...(isNarrower ? [`narrowed format of ${name}`] : []),
  ]
}

/** Breaking changes of requests: removed parameters, newly required ones, narrowed values. */
const requestChanges = (before: Fields, after: Fields): readonly string[] => [
  ...[...before].flatMap(([name, field]) => {
    const newField = after.get(name)
    return newField === undefined ? [`removed parameter ${name}`] : narrowings(name, field.schema, newField.schema)
  }),
  ...[...after]
    .filter(([name, field]) => field.required && before.get(name)?.required !== true)
    .map(([name]) => `newly required parameter ${name}`),
]

/** Breaking changes of answers. New fields and values are allowed: clients must tolerate them. */
const answerChanges = (before: Fields, after: Fields): readonly string[] =>
  [...before].flatMap(([name, field]) => {
    const newField = after.get(name)
    if (newField === undefined) return [`removed field ${name}`]
    if (field.schema.type !== newField.schema.type) return [`changed type of field ${name}`]
    return field.required && !newField.required ? [`newly optional field ${name}`] : []
  })

const parameterOf = (document: OpenApi, parameter: ParameterObject | Reference): ParameterObject | undefined =>
  '$ref' in parameter ? document.components.parameters[nameOf(parameter.$ref)] : parameter

/** The parameters of an operation in path, query and header, by name and location. */
const parametersByLocation = (document: OpenApi, operation: OperationObject): Fields =>
  new Map(
    (operation.parameters ?? [])
      .map((parameter) => parameterOf(document, parameter))
      .filter((parameter) => parameter !== undefined)
      .map(({ name, in: location, schema, required }) => [
        `${name} (${location})`,
        { schema, required: required === true },
      ]),
  )

const responseOf = (document: OpenApi, response: ResponseObject | Reference): ResponseObject | undefined =>
  '$ref' in response ? document.components.responses[nameOf(response.$ref)] : response

const contentFields = (document: OpenApi, content: ResponseObject['content']): Fields =>
  new Map(Object.values(content ?? {}).flatMap(({ schema }) => Array.from(fieldsOf(document, schema))))

const operationChanges = (
  released: OpenApi,
  before: OperationObject,
  current: OpenApi,
  after: OperationObject,
): readonly string[] => [
  ...requestChanges(parametersByLocation(released, before), parametersByLocation(current, after)),
  ...requestChanges(
    contentFields(released, before.requestBody?.content),
    contentFields(current, after.requestBody?.content),
  ),
  ...Object.entries(before.responses).flatMap(([status, response]) => {
    const newResponse = after.responses[status]
    if (newResponse === undefined) return [`removed response ${status}`]
    return answerChanges(
      contentFields(released, responseOf(released, response)?.content),
      contentFields(current, responseOf(current, newResponse)?.content),
    ).map((change) => `${change} of response ${status}`)
  }),
]

/**
 * Changes in `current` that would break a client of `released` ("Changes within a version are backwards compatible",
 * contract: Versioning): one line for each removed path, operation, response, field, parameter or value, each newly
 * required parameter, each narrowed format, and each field that has another type or is newly optional. A changed
 * `pattern` counts as narrowed, because regular expressions cannot be compared. Webhooks are not compared.
 */
export const breakingChanges = (released: OpenApi, current: OpenApi): readonly string[] =>
  Object.entries(released.paths).flatMap(([path, item]) => {
    const newItem = current.paths[path]
    if (newItem === undefined) return [`removed path ${path}`]
    return Object.entries(item).flatMap(([method, operation]) => {
      const newOperation = Object.entries(newItem).find(([newMethod]) => newMethod === method)?.[1]
      const request = `${method.toUpperCase()} ${path}`
      if (newOperation === undefined) return [`removed operation ${request}`]
      return operationChanges(released, operation, current, newOperation).map((change) => `${change} in ${request}`)
    })
  })
