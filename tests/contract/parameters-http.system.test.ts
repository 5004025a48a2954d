import { type OperationName, operations, servedOperations } from '@tollgate/contract'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bodyOf, inParallel } from '../support/http.ts'
import { authorization, post } from '../support/payments.ts'
import { cleanUp, type GatewayProcess, startGateway, temporaryFolder } from '../support/process.ts'
import { type MinimalForm, minimalForm, type Parameters, payByCard } from './minimal-form.ts'
import { type Row, rows, type Sample, samplesFor } from './samples.ts'

let gateway: GatewayProcess

beforeEach(async () => {
  gateway = await startGateway({ data: temporaryFolder() })
})
afterEach(cleanUp)

/**
 * The form in which a row is tested over HTTP: of its own operation if this has a route; otherwise of a payment, if
 * that accepts the parameter.
 */
function servedForm(row: Row): MinimalForm | undefined {
  const form = minimalForm(row)
  if (isServed(form.operation)) return form
  const isRefused = Object.hasOwn(operations.createPayment.refused, row.name)
  return row.surface === 'payment' && !isRefused ? payByCard : undefined
}

const served: readonly OperationName[] = servedOperations
const isServed = (operation: OperationName): boolean => served.includes(operation)

/** The wrong parameters that the gateway names when the form is sent with `added` in it. */
async function wrongNames({ operation, parameters }: MinimalForm, added: Parameters): Promise<readonly string[]> {
  const { method, path } = operations[operation]
  const form = { ...parameters, ...added }
  const request =
    method === 'POST'
      ? post(path, form)
      : { method, path: `${path}?${String(new URLSearchParams(form))}`, headers: authorization }
  const answer = await gateway.client.send(request)
  // An unknown but well-formed entityId is refused in another way, as is a plan for an unknown registration.
  expect([200, 400, 403, 404]).toContain(answer.status)
  const { result } = bodyOf(answer)
  const names = (result.parameterErrors ?? []).map(({ name }) => name)
  expect(result.code === '200.300.404').toBe(names.length > 0)
  return names
}

test('over HTTP, values at every bound pass, and values just past it are refused by name', async () => {
  const all = rows().map((row) => ({ row, form: servedForm(row) }))
  const tested = all.flatMap(({ row, form }) => (form ? samplesFor(row).map((sample) => ({ row, form, sample })) : []))
  const wrong: (Sample & Pick<Row, 'source'>)[] = []
  await inParallel(tested, 32, async ({ row, form, sample }) => {
    const isRefused = (await wrongNames(form, { [sample.name]: sample.value })).includes(sample.name)
    if (isRefused === sample.valid) wrong.push({ ...sample, source: row.source })
  })
  expect(wrong).toEqual([])

  const without = all.filter(({ form }) => !form).map(({ row }) => row)
  console.log(`over HTTP: ${all.length - without.length} parameters, ${tested.length} values`)
  console.log(`without a route: ${without.map(({ surface, name }) => `${surface} ${name}`).join(', ')}`)
  // Every parameter of payments must be tested, except the one that is accepted only at checkout creation.
  const missing = without.filter(({ surface, name }) => surface === 'payment' && name !== 'overridePaymentType[brand]')
  expect(missing).toEqual([])
})
