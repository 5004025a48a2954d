import { openapi } from '@tollgate/contract'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { withSingleSlashes } from '../single-slashes.ts'

/** An answer of the public listener, with any status. */
interface PublicAnswer {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly status: number
  readonly contentType: string
  readonly text: string
}

const document = openapi()
// Without optimisation, the schemas compile in a quarter of the time; faster checks would save less, because each
// schema checks few answers.
const fastCompilation = { inlineRefs: false, code: { optimize: false } }
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false, ...fastCompilation })
ajv.addSchema({ $id: 'api', components: document.components }, 'api')

const paths = Object.entries(document.paths).map(([template, item]) => ({
  matches: new RegExp(`^${template.replaceAll('{id}', '[^/]+')}$`),
  operations: new Map(Object.entries(item)),
}))

/** The schema of the operation's answer with this status; the schema of errors if the document has no such answer. */
function schemaFor({ method, url, status }: PublicAnswer): string {
  const requestPath = withSingleSlashes(url.split('?', 1)[0] ?? '')
  const path = requestPath.replace(/(?<=.)\/$/, '').replace(/^\/checkouts/, '/v1/checkouts')
  const operation = paths.find(({ matches }) => matches.test(path))?.operations.get(method.toLowerCase())
  const response = JSON.stringify(operation?.responses[status === 200 ? '200' : '400'] ?? '')
  return /#\/components\/schemas\/\w+/.exec(response)?.[0] ?? '#/components/schemas/Error'
}

/** The common fields: those of every answer to a merchant, with their formats (contract, Response fields). */
const commonFields: readonly (readonly [name: string, format: RegExp])[] = [
  ['id', /^[A-Za-z0-9]{32}(\.(test|live))?$/],
  ['buildNumber', /^[0-9a-f]{40}@\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+0000$/],
  ['timestamp', /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}\+0000$/],
  ['ndc', /^([0-9a-f]{32}_[0-9a-f]{32}|[0-9A-F]{32}\.(test|live))$/],
]

const SHOWN_CHARS = 2_000

/** The health checks and the OpenAPI document: their answers do not have the common fields. */
const WITHOUT_COMMON_FIELDS = /^\/(healthz|readyz|openapi\.json)(\?|$)/

/**
 * Checks that an answer is JSON, has the common fields, and matches its schema in the OpenAPI document.
 * Answers to HEAD, health checks and requests for the OpenAPI document are not checked, and neither are reports as CSV.
 *
 * @throws Error with all faults of the answer
 */
export function checkAnswer(answer: PublicAnswer): void {
  if (WITHOUT_COMMON_FIELDS.test(answer.url) || answer.method === 'HEAD') return
  if (answer.url.startsWith('/reports/') && answer.contentType === 'text/csv; charset=utf-8') return
  const problems: string[] = []
  if (answer.contentType !== 'application/json;charset=UTF-8') problems.push(`content-type ${answer.contentType}`)
  const body: Record<string, unknown> = JSON.parse(answer.text)
  for (const [name, format] of commonFields) {
    if (!format.test(String(body[name]))) problems.push(`${name} is ${String(body[name])}`)
  }
  const { resultDetails } = body
  const isExplained = typeof resultDetails !== 'object' || !resultDetails || 'ExtendedDescription' in resultDetails
  if (!isExplained) problems.push('resultDetails is without ExtendedDescription')
  const schema = schemaFor(answer)
  const validate = ajv.getSchema(`api${schema}`)
  if (!validate) throw new Error(`no schema ${schema}`)
  if (validate(body) !== true) problems.push(`${schema}: ${ajv.errorsText(validate.errors)}`)
  if (problems.length > 0) {
    throw new Error(
      `${answer.method} ${answer.url} ${answer.status}\n${problems.join('\n')}\n${answer.text.slice(0, SHOWN_CHARS)}`,
    )
  }
}
