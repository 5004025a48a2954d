import { findParameter, operations, type Row, sections, servedOperations } from '@tollgate/contract'
import { sandboxIds } from '@tollgate/gateway'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf } from '../support/http.ts'
import { cardPayment, post } from '../support/payments.ts'
import { cleanUp, type GatewayProcess, startGateway, temporaryFolder } from '../support/process.ts'
import { problemsOf } from '../support/openapi-problems.ts'
import { SHORT_ID, entity, rights, unusedSections, unusedParameters, type Example, usedSections } from './structures.ts'

// The tests send requests that use each section of the parameter document, and check the fields of the answers.

const folder = temporaryFolder()
let gateway: GatewayProcess
/** The headers of a client whose token has all rights. */
let trustedHeaders: Readonly<Record<string, string>>

beforeAll(async () => {
  gateway = await startGateway({ data: folder })
  trustedHeaders = { authorization: `Bearer ${await trustedToken()}` }
})
afterAll(cleanUp)

const valueAt = (body: object, path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (node, part) => (typeof node === 'object' && node !== null ? Reflect.get(node, part) : undefined),
    body,
  )

/** The parameters of a section that a request sends and its answer echoes, with their paths in the answer. */
function echoedParameters({ parameters }: Example, section: string) {
  const sectionRows = new Set(sections.find(({ title }) => title === section)?.rows)
  return Object.entries(parameters).flatMap(([name, value]) => {
    const parameter = findParameter('payment', name)
    return parameter && sectionRows.has(parameter.row) && parameter.row.echo
      ? [{ name, value, path: parameter.path }]
      : []
  })
}

async function trustedToken(): Promise<string> {
  const [, url = '', key = ''] = /management API +(\S+) +key (\S+)/.exec(gateway.stdout()) ?? []
  const response = await fetch(`${url}/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ entityId: sandboxIds.merchant, rights }),
  })
  const { token }: { token: string } = JSON.parse(await response.text())
  return token
}

/** Creates the payment or registration to which a request refers, and returns its id; '' if it refers to neither. */
async function createReferredResource({ operation }: Example): Promise<string> {
  if (operation === 'referToPayment') return bodyOf(await gateway.pay(cardPayment())).id
  if (operation !== 'payWithRegistration' && operation !== 'createSchedule') return ''
  const { 'card.holder': _holder, ...withoutHolder } = cardPayment({ createRegistration: 'true' })
  return String(bodyOf(await gateway.pay(withoutHolder)).registrationId)
}

/** Creates a payment, and returns its short id for a query. The short id is the start of the descriptor. */
async function createShortId() {
  const { descriptor } = bodyOf(await gateway.pay(cardPayment({ merchantTransactionId: 'of-a-query' })))
  return { shortId: String(descriptor).slice(0, SHORT_ID.length) }
}

async function send(example: Example) {
  const { method, path } = operations[example.operation]
  const id = await createReferredResource(example)
  const registration = example.operation === 'createSchedule' ? { registrationId: id } : {}
  const form = { ...entity, ...registration, ...example.parameters }
  const request =
    method === 'POST'
      ? post(path.replace('{id}', id), form, trustedHeaders)
      : {
          method,
          path: `${path}?${String(new URLSearchParams({ ...form, ...(await createShortId()) }))}`,
          headers: trustedHeaders,
        }
  const answer = await gateway.client.send(request)
  expect(problemsOf(request, answer)).toEqual([])
  return { status: answer.status, body: bodyOf(answer) }
}

test('every section of the document is used, or is listed with a reason', () => {
  const titles = sections.map(({ title }) => title)
  expect([...Object.keys(usedSections), ...Object.keys(unusedSections)].toSorted()).toEqual(titles.toSorted())
})

test('every parameter of a used section is in one of its requests, or is listed with a reason', () => {
  const missing = sections
    .filter(({ title }) => Object.hasOwn(usedSections, title))
    .flatMap(({ title, rows: sectionRows }) => {
      const sentRows = new Set<Row | undefined>(
        usedSections[title]?.flatMap(({ operation, parameters }) =>
          Object.keys({ ...entity, ...parameters }).map(
            (name) => findParameter(operations[operation].surface, name)?.row,
          ),
        ),
      )
      return sectionRows.filter((row) => !sentRows.has(row)).map(({ name }) => name)
    })
  expect(missing.toSorted()).toEqual(Object.keys(unusedParameters).toSorted())
  for (const [name, reason] of Object.entries(unusedParameters)) console.log(`${name}: not used, ${reason}`)
})

test.each(Object.entries(usedSections))('%s: the answer has the fields of its section', async (section, examples) => {
  for (const example of examples) {
    const { status, body } = await send(example)
    expect([status, body.result.parameterErrors]).toEqual([200, undefined])
    const echoed = echoedParameters(example, section)
    for (const { name, value, path } of echoed) expect([name, valueAt(body, path)]).toEqual([name, value])
    for (const field of example.fields)
      expect([field, valueAt(body, field.split('.'))]).toEqual([field, expect.any(String)])
    const fields = [...example.fields, ...echoed.map(({ name }) => name)]
    expect(fields.length).toBeGreaterThan(0)
    console.log(
      `${section}: ${example.operation} ${Object.keys(example.parameters).length} parameters → ${fields.join(', ')}`,
    )
  }
})

test.each(Object.entries(unusedSections))(
  '%s is not used: no route, or no fields in the answer',
  async (section, { reason, evidence }) => {
    if (typeof evidence === 'string') expect(servedOperations).not.toContain(evidence)
    else {
      const { body } = await send(evidence)
      for (const field of evidence.fields) expect([field, valueAt(body, field.split('.'))]).toEqual([field, undefined])
    }
    console.log(`${section}: not used, ${reason}`)
  },
)
