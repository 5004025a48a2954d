import { expect, test } from 'vitest'
import type { JsonSchema } from './json-schema.ts'
import { openapi } from './openapi.ts'
import { breakingChanges } from './openapi-compare.ts'
import type { OpenApi, OperationObject } from './openapi-types.ts'

/** The parts of a small document that the tests change: one operation with a query parameter, a form and an answer. */
interface Sample {
  readonly path: string
  readonly method: 'get' | 'post'
  readonly query: { readonly required: boolean; readonly schema: JsonSchema }
  readonly form: JsonSchema
  readonly answer: JsonSchema
  readonly statuses: readonly string[]
}

const text = (more: JsonSchema = {}): JsonSchema => ({ type: 'string', ...more })
const object = (properties: Readonly<Record<string, JsonSchema>>, ...required: string[]): JsonSchema => ({
  type: 'object',
  properties,
  required,
})

const form = {
  amount: text({ pattern: '^[0-9]+$' }),
  kind: text({ enum: ['A', 'B'] }),
  note: text({ minLength: 1, maxLength: 10 }),
  free: text(),
}
const answer = { id: text(), result: object({ code: text(), details: object({ raw: text() }) }, 'code') }

const base: Sample = {
  path: '/v1/things',
  method: 'post',
  query: { required: false, schema: text({ maxLength: 5 }) },
  form: object(form, 'amount'),
  answer: object(answer, 'id', 'result'),
  statuses: ['200', '400'],
}

const documentOf = (change: Partial<Sample> = {}): OpenApi => {
  const { path, method, query, form: request, answer: reply, statuses } = { ...base, ...change }
  const operation: OperationObject = {
    operationId: 'doThing',
    summary: 'Does a thing',
    tags: [],
    parameters: [{ $ref: '#/components/parameters/Where' }],
    requestBody: { required: true, content: { form: { schema: { $ref: '#/components/schemas/Request' } } } },
    responses: Object.fromEntries(
      statuses.map((status) => [status, { description: '', content: { json: { schema: { allOf: [reply] } } } }]),
    ),
  }
  return {
    ...openapi(),
    paths: { [path]: { [method]: operation } },
    components: {
      securitySchemes: {},
      parameters: { Where: { name: 'where', in: 'query', description: '', ...query } },
      responses: {},
      schemas: { Request: { allOf: [request, { patternProperties: { '^map\\[.*\\]$': text() } }] } },
    },
  }
}

const location = 'in POST /v1/things'

test.each<[string, Partial<Sample>, readonly string[]]>([
  ['an unchanged document', {}, []],
  ['a removed path', { path: '/v1/others' }, ['removed path /v1/things']],
  ['a removed operation', { method: 'get' }, ['removed operation POST /v1/things']],
  ['a removed response', { statuses: ['200'] }, [`removed response 400 ${location}`]],
  [
    'a removed parameter',
    { form: object({ amount: form.amount, kind: form.kind, free: form.free }, 'amount') },
    [`removed parameter note ${location}`],
  ],
  [
    'a removed value',
    { form: object({ ...form, kind: text({ enum: ['A'] }) }, 'amount') },
    [`removed value B of kind ${location}`],
  ],
  ['an added value', { form: object({ ...form, kind: text({ enum: ['A', 'B', 'C'] }) }, 'amount') }, []],
  ['a removed list of values', { form: object({ ...form, kind: text() }, 'amount') }, []],
  [
    'an added list of values',
    { form: object({ ...form, free: text({ enum: ['A'] }) }, 'amount') },
    [`narrowed format of free ${location}`],
  ],
  [
    'an existing parameter that becomes required',
    { form: object(form, 'amount', 'note') },
    [`newly required parameter note ${location}`],
  ],
  [
    'a parameter that one part of the form defines and another one requires',
    { form: { allOf: [object(form, 'amount'), { required: ['note'] }] } },
    [`newly required parameter note ${location}`],
  ],
  ['a new parameter', { form: object({ ...form, more: text() }, 'amount') }, []],
  [
    'a new required parameter',
    { form: object({ ...form, more: text() }, 'amount', 'more') },
    [`newly required parameter more ${location}`],
  ],
  ['a parameter that becomes optional', { form: object(form) }, []],
  [
    'a smaller maximum length',
    { form: object({ ...form, note: text({ minLength: 1, maxLength: 9 }) }, 'amount') },
    [`narrowed format of note ${location}`],
  ],
  [
    'a greater minimum length',
    { form: object({ ...form, note: text({ minLength: 2, maxLength: 10 }) }, 'amount') },
    [`narrowed format of note ${location}`],
  ],
  ['a greater maximum length', { form: object({ ...form, note: text({ maxLength: 11 }) }, 'amount') }, []],
  [
    'a changed expression',
    { form: object({ ...form, amount: text({ pattern: '^[1-9]+$' }) }, 'amount') },
    [`narrowed format of amount ${location}`],
  ],
  [
    'an added expression',
    { form: object({ ...form, free: text({ pattern: 'x' }) }, 'amount') },
    [`narrowed format of free ${location}`],
  ],
  [
    'an added format',
    { form: object({ ...form, free: text({ format: 'uri' }) }, 'amount') },
    [`narrowed format of free ${location}`],
  ],
  ['a removed expression', { form: object({ ...form, amount: text() }, 'amount') }, []],
  [
    'a required query parameter',
    { query: { ...base.query, required: true } },
    [`newly required parameter where (query) ${location}`],
  ],
  [
    'a narrower query parameter',
    { query: { required: false, schema: text({ maxLength: 4 }) } },
    [`narrowed format of where (query) ${location}`],
  ],
  ['a new field', { answer: object({ ...answer, more: text() }, 'id', 'result') }, []],
  [
    'a removed field',
    { answer: object({ result: answer.result }, 'result'), statuses: ['200', '400'] },
    [`removed field id of response 200 ${location}`, `removed field id of response 400 ${location}`],
  ],
  [
    'a removed nested field',
    { answer: object({ ...answer, result: object({ code: text(), details: object({}) }, 'code') }, 'id', 'result') },
    [
      `removed field result.details.raw of response 200 ${location}`,
      `removed field result.details.raw of response 400 ${location}`,
    ],
  ],
  [
    'a field that becomes optional',
    { answer: object(answer, 'result') },
    [`newly optional field id of response 200 ${location}`, `newly optional field id of response 400 ${location}`],
  ],
  [
    'a field of another type',
    { answer: object({ ...answer, id: object({}) }, 'id', 'result') },
    [`changed type of field id of response 200 ${location}`, `changed type of field id of response 400 ${location}`],
  ],
  [
    'a field with another maximum length',
    { answer: object({ ...answer, id: text({ maxLength: 99 }) }, 'id', 'result') },
    [],
  ],
])('breakingChanges reports the breaking changes of %s', (_, change, expected) =>
  expect(breakingChanges(documentOf(), documentOf(change))).toEqual(expected),
)

test('a removed map is reported as a removed parameter', () => {
  const current = documentOf()
  const withoutMap = { ...current, components: { ...current.components, schemas: { Request: base.form } } }
  expect(breakingChanges(documentOf(), withoutMap)).toEqual([`removed parameter /^map\\[.*\\]$/ ${location}`])
})

test('the current document is compatible with itself; a document without its customer parameters is not', () => {
  expect(breakingChanges(openapi(), openapi())).toEqual([])
  const { schemas } = openapi().components
  const smaller: OpenApi = {
    ...openapi(),
    components: { ...openapi().components, schemas: { ...schemas, CustomerParameters: {} } },
  }
  expect(breakingChanges(openapi(), smaller)).toContain('removed parameter customer.givenName in POST /v1/payments')
})

test('circular schemas are an error', () => {
  const circle = documentOf({ form: { allOf: [{ $ref: '#/components/schemas/Request' }] } })
  expect(() => breakingChanges(circle, circle)).toThrow('nest more than 32 levels')
})
