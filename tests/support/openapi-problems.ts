import { openapi } from '@tollgate/contract'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Answer, Request } from './http.ts'

const document = openapi()
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
ajv.addSchema({ $id: 'api', components: document.components }, 'api')

const operations = Object.entries(document.paths).flatMap(([template, item]) =>
  Object.entries(item).map(([method, { responses }]) => ({
    method: method.toUpperCase(),
    path: new RegExp(`^${template.replaceAll('{id}', '[^/]+')}/?$`),
    responses,
  })),
)

const jsonType = 'application/json;charset=UTF-8'

/**
 * The deviations of an answer of the public API from the OpenAPI document. There are none if the answer is JSON, has a
 * status below 500 that the document defines for the operation, matches the schema of that status and, with 405, has an
 * Allow header. If no operation has the method and path, the answer must be an error. The body of an answer to HEAD is
 * not checked.
 */
export function problemsOf({ method, path }: Request, answer: Answer): readonly string[] {
  const { status, headers, text } = answer
  const problems: string[] = []
  if (status >= 500) problems.push(`status ${status}`)
  if (status === 405 && headers.allow === undefined) problems.push('405 without Allow')
  if (headers['content-type'] !== jsonType) problems.push(`content-type ${headers['content-type']}`)
  // An answer to HEAD has no body to check, unless the HTTP parser refused the request before it had read the method.
  if (method === 'HEAD') return problems
  const body = parseJson(text)
  if (body === undefined) return [...problems, 'no JSON']
  const [pathname = ''] = path.split('?', 1)
  const operation = operations.find((candidate) => candidate.method === method && candidate.path.test(pathname))
  const response: unknown = operation ? Reflect.get(operation.responses, String(status)) : 'Error'
  if (response === undefined) return [...problems, `status ${status} is not in the document`]
  return [...problems, ...violations(schemaOf(response), body)]
}

/** @returns undefined if the text is not JSON */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The name of the schema of a response, or of the shared response that it references. */
function schemaOf(response: unknown): string {
  const text = JSON.stringify(response)
  const [, shared] = /^\{"\$ref":"#\/components\/responses\/(\w+)"\}$/.exec(text) ?? []
  if (shared !== undefined) return schemaOf(document.components.responses[shared])
  return /#\/components\/schemas\/(\w+)/.exec(text)?.[1] ?? 'Error'
}

function violations(name: string, body: unknown): readonly string[] {
  const validate = ajv.getSchema(`api#/components/schemas/${name}`)
  if (!validate) throw new Error(`the OpenAPI document has no schema ${name}`)
  return validate(body) === true ? [] : [`${name}: ${ajv.errorsText(validate.errors)}`]
}
