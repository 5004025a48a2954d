import { findParameter, operations, type Row, sections, servedOperations } from '@tollgate/contract'
import { sandboxIds } from '@tollgate/gateway'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf } from '../support/http.ts'
import { cardPayment, post } from '../support/payments.ts'
import { cleanUp, type GatewayProcess, startGateway, temporaryFolder } from '../support/process.ts'
import { problemsOf } from '../support/schemas.ts'
import { DESCRIPTOR, entity, rights, unused, unusedParameters, type Use, used } from './structures.ts'

// Every structure of the parameter document, with a payment or registration that used it and the fields of the answer.

const folder = temporaryFolder()
let gateway: GatewayProcess
/** The headers of a caller with every right. */
let trusted: Readonly<Record<string, string>>

beforeAll(async () => {
  gateway = await startGateway({ data: folder })
  trusted = { authorization: `Bearer ${await trustedToken()}` }
})
afterAll(cleanUp)

const valueAt = (body: object, path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (node, part) => (typeof node === 'object' && node !== null ? Reflect.get(node, part) : undefined),
    body,
  )

/** The parameters of a section in a request that answers return, with their path in the answer. */
function carriedBy({ parameters }: Use, section: string) {
  const own = new Set(sections.find(({ title }) => title === section)?.rows)
  return Object.entries(parameters).flatMap(([name, value]) => {
    const known = findParameter('payment', name)
    return known && own.has(known.row) && known.row.echo ? [{ name, value, path: known.path }] : []
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

/** The resource in the path of a request. */
async function givenId({ operation }: Use): Promise<string> {
  if (operation === 'referToPayment') return bodyOf(await gateway.pay(cardPayment())).id
  if (operation !== 'payWithRegistration' && operation !== 'createSchedule') return ''
  const { 'card.holder': _holder, ...withoutHolder } = cardPayment({ createRegistration: 'true' })
  return String(bodyOf(await gateway.pay(withoutHolder)).registrationId)
}

/** A value that queries can find, at the start of the descriptor of a payment. */
async function shortIdOfNew() {
  const { descriptor } = bodyOf(await gateway.pay(cardPayment({ merchantTransactionId: 'of-a-query' })))
  return { shortId: String(descriptor).slice(0, DESCRIPTOR.length) }
}

async function send(use: Use) {
  const { method, path } = operations[use.operation]
  const id = await givenId(use)
  const named = use.operation === 'createSchedule' ? { registrationId: id } : {}
  const form = { ...entity, ...named, ...use.parameters }
  const request =
    method === 'POST'
      ? post(path.replace('{id}', id), form, trusted)
      : {
          method,
          path: `${path}?${String(new URLSearchParams({ ...form, ...(await shortIdOfNew()) }))}`,
          headers: trusted,
        }
  const answer = await gateway.client.send(request)
  expect(problemsOf(request, answer)).toEqual([])
  return { status: answer.status, body: bodyOf(answer) }
}

test('every section of the document is used, or has a reason', () => {
  const titles = sections.map(({ title }) => title)
  expect([...Object.keys(used), ...Object.keys(unused)].toSorted()).toEqual(titles.toSorted())
})

test('every parameter of a used section is in one of its uses, or has a reason', () => {
  const missing = sections
    .filter(({ title }) => Object.hasOwn(used, title))
    .flatMap(({ title, rows: own }) => {
      const sent = new Set<Row | undefined>(
        used[title]?.flatMap(({ operation, parameters }) =>
          Object.keys({ ...entity, ...parameters }).map(
            (name) => findParameter(operations[operation].surface, name)?.row,
          ),
        ),
      )
      return own.filter((row) => !sent.has(row)).map(({ name }) => name)
    })
  expect(missing.toSorted()).toEqual(Object.keys(unusedParameters).toSorted())
  for (const [name, why] of Object.entries(unusedParameters)) console.log(`${name}: not used, ${why}`)
})

test.each(Object.entries(used))('%s', async (section, uses) => {
  for (const use of uses) {
    const { status, body } = await send(use)
    expect([status, body.result.parameterErrors]).toEqual([200, undefined])
    const carried = carriedBy(use, section)
    for (const { name, value, path } of carried) expect([name, valueAt(body, path)]).toEqual([name, value])
    for (const field of use.fields)
      expect([field, valueAt(body, field.split('.'))]).toEqual([field, expect.any(String)])
    const fields = [...use.fields, ...carried.map(({ name }) => name)]
    expect(fields.length).toBeGreaterThan(0)
    console.log(`${section}: ${use.operation} ${Object.keys(use.parameters).length} parameters → ${fields.join(', ')}`)
  }
})

test.each(Object.entries(unused))('%s is not used', async (section, { why, shows }) => {
  if (typeof shows === 'string') expect(servedOperations).not.toContain(shows)
  else {
    const { body } = await send(shows)
    for (const field of shows.fields) expect([field, valueAt(body, field.split('.'))]).toEqual([field, undefined])
  }
  console.log(`${section}: not used, ${why}`)
})
