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
  const add = (name: string, each: JsonSchema) => {
    const path = prefix + name
    fields.set(path, { schema: each, required: schema.required?.includes(name) === true })
    for (const [below, field] of fieldsOf(document, each, `${path}.`, depth + 1)) fields.set(below, field)
  }
  for (const [name, each] of Object.entries(schema.properties ?? {})) add(name, each)
  for (const [pattern, each] of Object.entries(schema.patternProperties ?? {})) add(`/${pattern}/`, each)
  if (schema.items !== undefined) add('[n]', schema.items)
  for (const part of schema.allOf ?? []) {
    for (const [path, field] of fieldsOf(document, part, prefix, depth + 1)) {
      // Required if one of the parts requires it.
      fields.set(path, { schema: field.schema, required: field.required || fields.get(path)?.required === true })
    }
  }
  return fields
}

/** The changes by which values are no longer allowed. */
const narrowings = (name: string, before: JsonSchema, after: JsonSchema): readonly string[] => {
  const removed = after.enum === undefined ? [] : (before.enum ?? []).filter((value) => !after.enum?.includes(value))
  const narrower =
    before.type !== after.type ||
    (before.enum === undefined && after.enum !== undefined) ||
    (after.minLength ?? 0) > (before.minLength ?? 0) ||
    (after.maxLength ?? Infinity) < (before.maxLength ?? Infinity) ||
    (after.pattern !== undefined && after.pattern !== before.pattern) ||
    (after.format !== undefined && after.format !== before.format)
  return [
    ...removed.map((value) => `removed value ${value} of ${name}`),
    ...(narrower ? [`narrowed format of ${name}`] : []),
  ]
}

/** Breaking changes of requests: removed parameters, newly required ones, narrowed values. */
const requestChanges = (before: Fields, after: Fields): readonly string[] => [
  ...[...before].flatMap(([name, field]) => {
    const now = after.get(name)
    return now === undefined ? [`removed parameter ${name}`] : narrowings(name, field.schema, now.schema)
  }),
  ...[...after]
    .filter(([name, field]) => field.required && before.get(name)?.required !== true)
    .map(([name]) => `newly required parameter ${name}`),
]

/** Breaking changes of answers. New fields and values are allowed: clients must tolerate them. */
const answerChanges = (before: Fields, after: Fields): readonly string[] =>
  [...before].flatMap(([name, field]) => {
    const now = after.get(name)
    if (now === undefined) return [`removed field ${name}`]
    if (field.schema.type !== now.schema.type) return [`changed type of field ${name}`]
    return field.required && !now.required ? [`field ${name} is no longer always present`] : []
  })

const parameterOf = (document: OpenApi, each: ParameterObject | Reference): ParameterObject | undefined =>
  '$ref' in each ? document.components.parameters[nameOf(each.$ref)] : each

/** The parameters of an operation in path, query and header, by place and name. */
const parametersOf = (document: OpenApi, operation: OperationObject): Fields =>
  new Map(
    (operation.parameters ?? [])
      .map((each) => parameterOf(document, each))
      .filter((each) => each !== undefined)
      .map((each) => [`${each.name} (${each.in})`, { schema: each.schema, required: each.required === true }]),
  )

const responseOf = (document: OpenApi, each: ResponseObject | Reference): ResponseObject | undefined =>
  '$ref' in each ? document.components.responses[nameOf(each.$ref)] : each

const contentFields = (document: OpenApi, content: ResponseObject['content']): Fields =>
  new Map(Object.values(content ?? {}).flatMap(({ schema }) => Array.from(fieldsOf(document, schema))))

const operationChanges = (
  released: OpenApi,
  before: OperationObject,
  current: OpenApi,
  after: OperationObject,
): readonly string[] => [
  ...requestChanges(parametersOf(released, before), parametersOf(current, after)),
  ...requestChanges(
    contentFields(released, before.requestBody?.content),
    contentFields(current, after.requestBody?.content),
  ),
  ...Object.entries(before.responses).flatMap(([status, each]) => {
    const now = after.responses[status]
    if (now === undefined) return [`removed response ${status}`]
    return answerChanges(
      contentFields(released, responseOf(released, each)?.content),
      contentFields(current, responseOf(current, now)?.content),
    ).map((change) => `${change} of response ${status}`)
  }),
]

/**
 * Changes in `current` that would break a client of `released` ("Changes within a version are backwards compatible",
 * contract: Versioning): one sentence for each removed path, operation, response, field, parameter or value, each newly
 * required parameter and each narrowed format. A changed expression counts as narrowed, because expressions cannot be
 * compared.
 */
export const breakingChanges = (released: OpenApi, current: OpenApi): readonly string[] =>
  Object.entries(released.paths).flatMap(([path, item]) => {
    const nowItem = current.paths[path]
    if (nowItem === undefined) return [`removed path ${path}`]
    return Object.entries(item).flatMap(([method, operation]) => {
      const now = Object.entries(nowItem).find(([each]) => each === method)?.[1]
      const place = `${method.toUpperCase()} ${path}`
      if (now === undefined) return [`removed operation ${place}`]
      return operationChanges(released, operation, current, now).map((change) => `${change} in ${place}`)
    })
  })
